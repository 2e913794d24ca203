"""The wheel works outside the checkout: built, installed into a fresh environment, queried from an empty folder."""

import json
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(*command: str | Path, folder: Path) -> str:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """The Python of an environment that has the wheel of Errai, and its dependencies from this one."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    # From a copy: building leaves folders behind, and takes along what an earlier one has left.
    source = folder / "source"
    shutil.copytree(ROOT / "src", source / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, source)
    run(*pip, "wheel", "--no-deps", "--wheel-dir", folder, source, folder=folder)
    (wheel,) = folder.glob("errai-*.whl")
    run(sys.executable, "-m", "venv", "--without-pip", folder / "fresh", folder=folder)
    python = folder / "fresh" / "bin" / "python"
    packages = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", folder=folder)
    # A path in a .pth file is searched, but the .pth files in it are not read: not the one of this checkout either.
    (Path(packages.strip()) / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    run(*pip, "--python", python, "install", "--no-deps", "--no-index", wheel, folder=folder)
    return python


def test_the_shipped_strategy_can_be_queried(installed, tmp_path):
    where = run(installed, "-c", "import errai; print(errai.__file__)", folder=tmp_path)
    assert Path(where.strip()).is_relative_to(installed.parent.parent)
    errai = installed.parent / "errai"
    opening = json.loads(run(errai, "query", "holdem", "--json", folder=tmp_path))
    assert opening["actions"] == ["fold", "call", "raise"]
    flop = ("query", "holdem", "--betting", "rc/r", "--board", "Ks7h2d", "--hand", "AhQd", "--json")
    (shares,) = json.loads(run(errai, *flop, folder=tmp_path))["hands"].values()
    assert sum(shares.values()) == pytest.approx(1)


def test_a_game_can_be_solved(installed, tmp_path):
    found = json.loads(
        run(installed.parent / "errai", "solve", "kuhn", "--method", "lp", "--json", folder=tmp_path)
    )
    assert found["value"][0] == pytest.approx(-1 / 18)
