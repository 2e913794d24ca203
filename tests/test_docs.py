"""Every link of README, CHANGELOG and docs leads somewhere: to a file, and to a heading of it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def text_of(page: Path) -> str:
    return FENCED.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and mkdocs make them."""
    headings = re.findall(r"^#+ +(.+?) *$", text_of(page), re.MULTILINE)
    plain = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower() for heading in headings)
    return {re.sub(r"[\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip()) for heading in plain}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for link in LINK.findall(text_of(page)):
        if link.startswith(("http://", "https://", "mailto:")):
            continue
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), f"{page.name} links to {link}"
        assert not anchor or anchor in anchors(target), f"{page.name} links to {link}"


def test_every_page_of_docs_is_in_the_site():
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in (ROOT / "docs").rglob("*.md"):
        assert f" {page.relative_to(ROOT / 'docs').as_posix()}\n" in navigation, page.name


def test_the_reference_has_every_public_name():
    import errai

    reference = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    for name in errai.__all__:
        if name != "__version__":
            assert f"::: errai.{name}\n" in reference, name


def test_the_architecture_names_every_module():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    house = ROOT / "src" / "errai"
    for path in house.rglob("*.py"):
        parts = path.relative_to(house).with_suffix("").parts
        if path.stem.startswith("__") or "kernels" in parts[1:] or parts[0] == "cli":
            continue
        name = parts[-2] if "kinds" in parts else path.stem
        assert re.search(rf"[`/ ]{name}(/|\.py)?`", page), "/".join(parts)
