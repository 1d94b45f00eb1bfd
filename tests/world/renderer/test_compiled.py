from endoalign.world.renderer import compiled


def test_kernels_of_changed_sources_are_dropped(tmp_path, monkeypatch):
    monkeypatch.setattr(compiled, "_HERE", tmp_path)
    source = tmp_path / "march.py"
    source.write_text("from endoalign.world.renderer.compiled import compiled\n")
    (tmp_path / "report.py").write_text("text = 1\n")
    cache = tmp_path / "__pycache__"
    cache.mkdir()
    kernel = cache / "march.trace.py311.nbi"

    def after(edit, path):
        kernel.write_text("machine code")
        path.write_text(edit)
        compiled._drop_stale_kernels()
        return kernel.exists()

    text = "from endoalign.world.renderer.compiled import compiled\n"
    assert not after(text, source)  # no stamp yet
    assert after(text, source)
    assert not after(text + "changed = 1\n", source)
    assert after("text = 2\n", tmp_path / "report.py")
