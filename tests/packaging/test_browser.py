"""Which browser the tests use, and what is said when there is none."""

from pathlib import Path

import pytest

from tools import browser


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(browser, "MACOS_APPS", ())
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("KYMOGRAPH_CHROMIUM", raising=False)
    return tmp_path


def plant(folder: Path, name: str) -> str:
    file = folder / name
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    return str(file)


def test_chromium_comes_before_chrome_and_a_chosen_browser_before_both(commands, monkeypatch):
    chrome = plant(commands, "google-chrome")
    assert browser.find_browser() == chrome
    chromium = plant(commands, "chromium")
    assert browser.find_browser() == chromium
    chosen = plant(commands, "my-browser")
    monkeypatch.setenv("KYMOGRAPH_CHROMIUM", chosen)
    assert browser.find_browser() == chosen


def test_no_browser_says_how_to_get_one(commands, capsys):
    assert browser.main([]) == 1
    assert capsys.readouterr().err == f"error: {browser.ADVICE}\n"


def test_chosen_browser_that_is_not_there_is_an_error_not_a_reason_to_install(
    commands, monkeypatch, capsys
):
    plant(commands, "chromium")
    monkeypatch.setenv("KYMOGRAPH_CHROMIUM", "/nowhere/chrome")
    assert browser.main(["--install"]) == 1
    assert capsys.readouterr().err.endswith("can be run: /nowhere/chrome\n")


@pytest.mark.parametrize(("debian", "user"), [(True, 1000), (False, 0)])
def test_nothing_is_installed_without_root_or_outside_debian(commands, monkeypatch, debian, user):
    plant(commands, "apt-get")
    monkeypatch.setattr(browser, "_is_debian", lambda: debian)
    monkeypatch.setattr("os.geteuid", lambda: user)
    with pytest.raises(browser.NoBrowserError, match="no browser was found"):
        browser.install_browser()
