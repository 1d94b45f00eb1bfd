import pytest

from endoalign.progress import BATCH_CHANNEL, Progress, clock, line


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0, "0:00"), (-3, "0:00"), (59.6, "1:00"), (61, "1:01"), (3725, "1:02:05")],
)
def test_clock(seconds, shown):
    assert clock(seconds) == shown


def test_line_tells_the_time_left_by_rate():
    assert line("Render", 25, 100, 10.0) == "Render: 25 of 100 (25%), 2.5 a second, about 0:30 left"


def test_line_without_a_rate_tells_none():
    assert line("Render", 0, 100, 1.0) == "Render: 0 of 100 (0%)"
    assert line("Render", 0, 0, 0.0) == "Render: 0 of 0 (100%)"


def test_items_of_an_earlier_run_and_the_wait_for_the_first_do_not_count():
    told = line("Scan", 90, 100, 10.0, first=80)
    assert told == "Scan: 90 of 100 (90%), 1.0 a second, about 0:10 left"


def test_batch_writes_to_the_runner_s_channel(tmp_path, monkeypatch, capsys):
    channel = tmp_path / "channel"
    monkeypatch.setenv(BATCH_CHANNEL, str(channel))
    progress = Progress("Scan", every=0.0)
    assert list(progress.over("abc", 3)) == ["a", "b", "c"]
    assert channel.read_text().splitlines()[-1].startswith("Scan: 3 of 3 (100%)")
    assert capsys.readouterr().out == ""


def test_without_a_runner_lines_go_to_standard_output(monkeypatch, capsys):
    for name in (BATCH_CHANNEL, "JPY_SESSION_NAME", "VSCODE_PID", "COLAB_RELEASE_TAG"):
        monkeypatch.delenv(name, raising=False)
    Progress("Scan", every=0.0)(1, 2)
    assert capsys.readouterr().out.startswith("Scan: 1 of 2 (50%)")


def test_short_steps_stay_silent(monkeypatch, capsys):
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    monkeypatch.delenv(BATCH_CHANNEL, raising=False)
    list(Progress("Quick").over(range(100), 100))
    assert capsys.readouterr().out == ""
