import pytest

from endoalign.run import graph


def test_a_notebook_depends_on_what_its_modules_import():
    files = {path.name for path in graph.used_files("01_curation")}
    assert {"curate.py", "negation.py", "en.yaml", "zh.yaml"} <= files
    assert "march.py" not in files  # the renderer: curation does not use it


def test_unknown_names_list_the_known():
    with pytest.raises(KeyError, match="00_corpus"):
        graph.notebook_path("99_nothing")
    with pytest.raises(ValueError, match="demo"):
        graph.profile_notebooks("nothing")


def test_order_follows_the_graph():
    for profile in ("smoke", "demo", "real"):
        names = graph.profile_notebooks(profile)
        for position, name in enumerate(names):
            assert set(graph.UPSTREAM[name]) <= set(names[:position])


def test_one_paper_runs_after_another():
    names = list(graph.UPSTREAM)
    first = sorted(names, key=graph.priority, reverse=True)
    endoclip = [name for name in names if name[:2] in {"00", "01", "02", "03", "04", "07"}]
    assert first[: len(endoclip)] == endoclip
    assert [name[:2] for name in first[len(endoclip) :]] == ["05", "06", "11"]
