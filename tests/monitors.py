"""Monitors that tests pass to what takes long."""

from collections.abc import Callable

from errai.runs.monitor import Monitor, Progress


class StopWhen(Monitor):
    """Stops as soon as the condition holds."""

    def __init__(self, condition: Callable[[], bool]) -> None:
        self.should_stop = condition


class Recorder(Monitor):
    """Keeps all that it is told."""

    def __init__(self) -> None:
        self.reports: list[Progress] = []
        self.lines: list[str] = []
        self.warnings: list[str] = []

    def report(self, progress: Progress) -> None:
        self.reports.append(progress)

    def say(self, line: str) -> None:
        self.lines.append(line)

    def warn(self, line: str) -> None:
        self.warnings.append(line)


class StopAfter(Recorder):
    """Stops when it has been asked more often than this."""

    def __init__(self, asked: int) -> None:
        super().__init__()
        self.left = asked

    def should_stop(self) -> bool:
        self.left -= 1
        return self.left < 0
