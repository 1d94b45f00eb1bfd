"""The model hub, asked only if it answers: without a network its client retries for long."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from huggingface_hub import constants

from endoalign.models.weights import WeightsError, first_line, missing_weights

PATIENCE: Final = 4.0  # seconds that the hub has to answer


@contextmanager
def fetching(name: str, source: str, needs: str = "", *, from_disk: bool = False) -> Iterator[bool]:
    """Inside, what is missing of encoder ``name`` may be fetched from the hub.

    Where the hub does not answer, its client reads its cache alone, at once.

    Args:
        source: where the weights come from, for the error.
        needs: how the user gets them, for the error.
        from_disk: everything is known to be on this machine, so that the hub is not asked.

    Yields:
        Whether the hub may be asked. ``HF_HUB_OFFLINE`` is respected.

    Raises:
        WeightsError: in place of any error of the file system, the network or OpenCLIP.
    """
    before = constants.HF_HUB_OFFLINE
    reachable = not from_disk and not before and hub_answers()
    constants.HF_HUB_OFFLINE = not reachable
    try:
        yield reachable
    except WeightsError:
        raise
    except (OSError, RuntimeError, ModuleNotFoundError) as error:
        unreachable = not from_disk and not reachable and not isinstance(error, ModuleNotFoundError)
        reason = "the hub does not answer, and its cache here lacks them" if unreachable else ""
        raise missing_weights(name, source, reason or first_line(error), needs) from error
    finally:
        constants.HF_HUB_OFFLINE = before


def hub_answers() -> bool:
    """Whether the hub answers within `PATIENCE` seconds, whatever it answers."""
    answered = threading.Event()

    def ask() -> None:
        request = Request(constants.ENDPOINT, method="HEAD")
        try:
            urlopen(request, timeout=PATIENCE).close()
        except HTTPError:
            pass  # a refusal is an answer
        except OSError:
            return
        answered.set()

    # A thread, because looking up a name cannot be timed out.
    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(PATIENCE)
    return answered.is_set()
