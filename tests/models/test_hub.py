import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from huggingface_hub import constants

from endoalign.models import hub
from endoalign.models.weights import WeightsError


class Refusing(BaseHTTPRequestHandler):
    def do_HEAD(self):
        self.send_error(403)

    def log_message(self, *args):
        del args


@pytest.fixture
def refusing_hub(monkeypatch):
    with HTTPServer(("127.0.0.1", 0), Refusing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{server.server_port}")
        yield
        server.shutdown()


def test_a_refusal_is_an_answer(refusing_hub):
    assert hub.hub_answers()


def test_a_hub_that_cannot_be_found_or_reached_does_not_answer(monkeypatch):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{unused.getsockname()[1]}"
    for endpoint in (closed, "http://no-such-host.invalid"):
        monkeypatch.setattr(constants, "ENDPOINT", endpoint)
        assert not hub.hub_answers()


def test_a_silent_hub_is_given_up_soon(monkeypatch):
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{silent.getsockname()[1]}")
        monkeypatch.setattr(hub, "PATIENCE", 0.3)
        started = time.monotonic()
        assert not hub.hub_answers()
        assert time.monotonic() - started < 2


def test_the_client_reads_its_cache_alone_where_the_hub_does_not_answer(monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    for answers in (True, False):
        monkeypatch.setattr(hub, "hub_answers", lambda answers=answers: answers)
        with hub.fetching("some", "somewhere") as reachable:
            assert reachable is answers
            assert constants.HF_HUB_OFFLINE is not answers
        assert constants.HF_HUB_OFFLINE is False


def test_the_hub_is_not_asked_where_it_is_not_wanted(monkeypatch):
    monkeypatch.setattr(hub, "hub_answers", lambda: pytest.fail("asked"))
    with hub.fetching("some", "somewhere", from_disk=True) as reachable:
        assert not reachable
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with hub.fetching("some", "somewhere") as reachable:
        assert not reachable


def test_errors_become_the_one_error_and_keep_their_cause(monkeypatch):
    monkeypatch.setattr(hub, "hub_answers", lambda: True)
    message = r"encoder some: no weights from x \(first\)"
    with pytest.raises(WeightsError, match=message) as caught, hub.fetching("some", "x"):
        raise OSError("first\nsecond")
    assert isinstance(caught.value.__cause__, OSError)
    with pytest.raises(WeightsError, match=r"^as it was$"), hub.fetching("some", "x"):
        raise WeightsError("as it was")
    with pytest.raises(KeyError), hub.fetching("some", "x"):
        raise KeyError("a mistake of the code stays one")
