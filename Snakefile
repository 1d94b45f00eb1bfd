# The graph of the notebooks: each runs again only when something it depends on has changed.
# `snakemake --cores all --config profile=demo`; any Snakemake executor takes it to a cluster.
import sys

from endoalign.paths import outputs_root
from endoalign.run import graph

PROFILE = config.get("profile", "demo")
NOTEBOOKS = graph.profile_notebooks(PROFILE)
EXECUTED = {name: outputs_root() / PROFILE / "notebooks" / f"{name}.ipynb" for name in NOTEBOOKS}


rule all:
    input:
        list(EXECUTED.values()),


for NAME in NOTEBOOKS:

    rule:
        name:
            f"notebook_{NAME}"
        input:
            notebook=graph.notebook_path(NAME),
            settings=graph.params_path(PROFILE, NAME),
            library=graph.used_files(NAME),
            upstream=[EXECUTED[name] for name in graph.UPSTREAM[NAME] if name in EXECUTED],
        output:
            EXECUTED[NAME],
        params:
            name=NAME,
        priority: graph.priority(NAME)
        threads: workflow.cores
        shell:
            f"{sys.executable} -m endoalign.run {{params.name}} --profile {PROFILE}"
