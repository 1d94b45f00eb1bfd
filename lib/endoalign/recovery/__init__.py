"""Recovery of correspondence: which frame shows which finding (EndoCLIP, section 4.4.2)."""
