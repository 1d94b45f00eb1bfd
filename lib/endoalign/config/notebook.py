"""From the variables of a running notebook to its checked parameters."""

import ast
from collections.abc import Iterable
from typing import TypeVar

from IPython.core.getipython import get_ipython

from endoalign.config.base import Parameters

P = TypeVar("P", bound=Parameters)


def from_notebook(model: type[P]) -> P:
    """Check the parameters of the notebook that calls this, and return them.

    Parameters are the names assigned in cells that hold nothing but assignments of plain values:
    the ``parameters`` cell and the cell papermill injects after it. So a name that papermill
    injected and the notebook does not know is an error here, not a warning.

    Raises:
        ParameterError: wrong parameters, every fault in one message.
        RuntimeError: called outside IPython.
    """
    shell = get_ipython()
    if shell is None:
        raise RuntimeError("from_notebook works inside a notebook; use Parameters.check elsewhere")
    names = assigned_names(shell.user_ns["In"])
    values = {name: shell.user_ns[name] for name in names if name in shell.user_ns}
    return model.check(values, origin="parameters of this notebook")


def assigned_names(cells: Iterable[str]) -> list[str]:
    """Names assigned in those cells that only assign plain values, in order, each once."""
    names: dict[str, None] = {}
    for cell in cells:
        try:
            statements = ast.parse(cell).body
        except SyntaxError:  # a cell with a magic is no cell of parameters
            continue
        if statements and all(_assigns_plain_value(statement) for statement in statements):
            names |= dict.fromkeys(
                target.id
                for s in statements
                for target in s.targets  # type: ignore[attr-defined]
            )
    return list(names)


def _assigns_plain_value(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Assign):
        return False
    if not all(isinstance(target, ast.Name) for target in statement.targets):
        return False
    try:
        ast.literal_eval(statement.value)
    except (ValueError, TypeError):
        return _is_special_float(statement.value)
    return True


def _is_special_float(node: ast.expr) -> bool:
    """Whether the node is ``float('nan')`` or alike: how papermill writes NaN and infinities."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "float"
        and all(isinstance(argument, ast.Constant) for argument in node.args)
    )
