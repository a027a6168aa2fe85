"""Tests of the package, with a running service: KITSEAL_URL, KITSEAL_API_KEY and ISSUER_KID. See package.slow.test.ts."""

import asyncio
import base64
import contextlib
import doctest
import hashlib
import hmac
import http.client
import http.server
import inspect
import io
import json
import os
import pathlib
import shutil
import ssl
import subprocess
import tempfile
import threading
import time
import unittest
from unittest import mock

import kitseal
from kitseal import _uploads

URL, KEY, KID = os.environ["KITSEAL_URL"], os.environ["KITSEAL_API_KEY"], os.environ["ISSUER_KID"]
SAMPLE, SAMPLE_KID = os.environ["SAMPLE_KIT"], "-KRiE--JvGPqAgYNusgQ5jY4xPOOrHsvqDJz3T7LkjI"
TRUST = kitseal.Trust(kids=[KID])
ONCE = kitseal.RetryPolicy(attempts=1)
QUICK = kitseal.RetryPolicy(attempts=3, base=0)


class InFolder(unittest.TestCase):
    """Each test has a folder of its own, with evidence in it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.evidence = self.folder / "evidence"
        (self.evidence / "teams").mkdir(parents=True)
        (self.evidence / "access-review.csv").write_text("account,decision\na,remove\n")
        (self.evidence / "teams" / "100% größe.txt").write_text("Approved.\n")
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)


@contextlib.contextmanager
def server(answer, tls=None):
    """Calls `answer(handler)` for each request. Yields its URL and the requests: (method, path, headers, body)."""
    seen = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def handle_one(self):
            length = int(self.headers.get("content-length") or 0)
            seen.append((self.command, self.path, dict(self.headers.items()), self.rfile.read(length)))
            answer(self)

        do_GET = do_POST = do_PATCH = do_DELETE = do_CONNECT = handle_one

        def log_message(self, *_):
            pass

    listening = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if tls is not None:
        listening.socket = tls.wrap_socket(listening.socket, server_side=True)
    listening.handle_error = lambda *_: None
    thread = threading.Thread(target=listening.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield "http%s://127.0.0.1:%d" % ("s" if tls else "", listening.server_port), seen
    finally:
        listening.shutdown()
        thread.join()
        listening.server_close()


def say(handler, status, body, **headers):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    handler.send_response(status)
    for name, value in {"content_length": str(len(data)), **headers}.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(data)


OK = {"boundary": "b", "keys": []}


class Sealing(InFolder):
    client = kitseal.Client(URL, KEY)

    def test_a_folder_becomes_a_verified_kit_in_one_call(self):
        seen, sent = [], []
        kit = self.client.seal(
            "evidence",
            # Other runs use the same service: with the same name, this would continue their submission.
            name="Access review %d" % os.getpid(),
            trust=TRUST,
            tags=["q3"],
            on_status=lambda one: seen.append(one["status"]),
            on_progress=lambda done, total: sent.append((done, total)),
        )
        self.assertEqual(kit.path, pathlib.Path(kit.kit_id + ".zip"))
        self.assertEqual(self.client.get_submission(kit.submission_id)["kit_id"], kit.kit_id)
        self.assertEqual((kit.report["status"], kit.report["signer"]["kid"]), ("PASS", KID))
        self.assertEqual((seen[-1], sent[-1][0]), ("PASS", sent[-1][1]))
        self.assertEqual(kitseal.verify_kit(kit.path, TRUST), kit.report)
        paths = [one["path"] for one in self.client.get_manifest(kit.kit_id)["artifacts"]]
        self.assertIn("data/access-review.csv", paths)
        self.assertIn("data/teams/100% größe.txt", paths)
        into = io.BytesIO()
        self.client.get_kit_file(kit.kit_id, "data/teams/100% größe.txt", into=into)
        self.assertEqual(into.getvalue(), b"Approved.\n")
        self.assertIn(kit.kit_id, [one["kit_id"] for one in self.client.iterate_submissions(tag="q3", limit=1)])
        self.assertEqual(self.client.verify_kit(kit.path)["status"], "PASS")
        self.assertEqual(self.client.verify_receipt(self.client.get_receipt(kit.kit_id))["status"], "PASS")
        self.assertIn("submission.passed", [one["type"] for one in self.client.events()])

    def test_a_seal_that_stopped_continues_with_its_submission(self):
        def stop(_):
            raise RuntimeError("stopped")

        seal = dict(name="Continued", trust=TRUST)
        with self.assertRaises(RuntimeError) as caught:
            self.client.seal("evidence", on_status=stop, **seal)
        kit = self.client.seal("evidence", **seal)
        self.assertEqual(kit.submission_id, caught.exception.submission_id)
        self.assertEqual(self.client.seal("evidence", **seal).kit_id, kit.kit_id)
        # Only with the same name and the same files: their paths and their contents.
        others = [self.client.seal("evidence", **dict(seal, name="Continued differently"))]
        for path, text in (("evidence/more.txt", "one"), ("evidence/more.txt", "two"), ("evidence/moved.txt", "two")):
            pathlib.Path(path).write_text(text)
            others.append(self.client.seal("evidence", **seal))
        self.assertEqual(len({one.submission_id for one in [kit, *others]}), 5)
        with self.assertRaises(FileNotFoundError) as missing:
            self.client.seal("evidence", into="missing/kit.zip", **dict(seal, name="Another"))
        self.assertIsNone(missing.exception.submission_id)
        self.assertNotIn("Another", [one["label"] for one in self.client.iterate_submissions()])

    def test_a_kit_of_a_signer_that_is_not_trusted_is_not_saved(self):
        for trust in (kitseal.Trust(kids=["A" * 43]), kitseal.Trust(kids=[KID], issuer="https://other.example")):
            with self.assertRaises(kitseal.NotVerifiedError) as caught:
                self.client.seal("evidence", name="Access review", trust=trust, into="kit.zip")
            self.assertEqual(caught.exception.report["status"], "FAIL")
        self.assertEqual(os.listdir("."), ["evidence"])

    def test_a_kit_that_was_not_asked_for_is_not_saved(self):
        def answer(handler):
            say(handler, 200, pathlib.Path(SAMPLE).read_bytes())

        with server(answer) as (url, _), self.assertRaisesRegex(kitseal.NotVerifiedError, "a different kit"):
            kitseal.Client(url).download_kit("kit_1", trust=kitseal.Trust(kids=[SAMPLE_KID]))
        self.assertEqual(os.listdir("."), ["evidence"])

    def test_evidence_with_problems_says_which(self):
        (self.evidence / "tool.exe").write_bytes(b"MZ" + bytes(200))
        with self.assertRaises(kitseal.NotSealedError) as caught:
            self.client.seal("evidence", name="Access review", trust=TRUST)
        self.assertEqual(caught.exception.status, "FAIL")
        self.assertTrue(caught.exception.blockers[0]["remedy"])
        self.assertIn("tool.exe", str(caught.exception))

    def test_links_empty_folders_and_empty_trust_are_refused_before_anything_is_sent(self):
        os.mkdir("empty")
        os.symlink("/etc/passwd", self.evidence / "link")
        with server(lambda handler: say(handler, 500, OK)) as (url, seen):
            for folder, reason in (("empty", "contains no files"), ("evidence", "link is a link")):
                with self.assertRaisesRegex(ValueError, reason):
                    kitseal.Client(url).seal(folder, name="Access review", trust=TRUST)
            with self.assertRaisesRegex(ValueError, "names no key"):
                kitseal.Client(url).seal(os.path.dirname(SAMPLE), name="Access review", trust=kitseal.NO_TRUST)
            self.assertEqual(seen, [])

    def test_large_files_are_uploaded_in_chunks_and_continued(self):
        large = self.evidence / "large.bin"
        large.write_bytes(os.urandom(2500))
        sizes = {"ONE_REQUEST": 1000, "SMALL_FILE": 100, "CHUNK": 1000, "FILES_PER_REQUEST": 1, "BUSY_WAIT": 0.02}
        with mock.patch.multiple(_uploads, **sizes):
            submission = self.client.create_submission(label="Large")["submission_id"]

            def interrupt(done, _):
                if done == 1000:
                    raise KeyboardInterrupt

            file = kitseal.evidence_file(large)
            with self.assertRaises(KeyboardInterrupt):
                self.client.upload_file(submission, file, on_progress=interrupt)
            self.assertEqual(len(self.client.list_uploads(submission)["data"]), 1)
            starts = []
            self.client.upload_file(submission, file, on_progress=lambda done, _: starts.append(done))
            self.assertEqual(starts[-1], 2500)
            with self.assertRaises(KeyboardInterrupt):
                again = kitseal.Evidence("again.bin", large.read_bytes())
                self.client.upload_evidence(submission, [again], on_progress=interrupt)
            self.assertEqual(self.client.list_uploads(submission)["data"], [])
            files = kitseal.evidence_in("evidence")
            self.client.upload_evidence(submission, files, resume=True)
            result = self.client.wait_for_result(submission)
        self.assertEqual(result["status"], "PASS")
        self.assertEqual({one["name"] for one in result["evidence"]}, {file.name for file in files})
        digests = {one["name"]: one["sha256"] for one in result["evidence"]}
        self.assertEqual(digests["large.bin"], hashlib.sha256(large.read_bytes()).hexdigest())

    def test_a_file_that_becomes_shorter_during_the_upload_is_an_error_of_the_file(self):
        file = kitseal.evidence_file(self.evidence / "access-review.csv")
        with mock.patch.object(kitseal.Evidence, "size", 1000), self.assertRaisesRegex(OSError, "changed while"):
            self.client.upload_evidence(self.client.create_submission(label="x")["submission_id"], [file])

    def test_waiting_ends_and_says_what_for(self):
        draft = self.client.create_submission(label="Draft")["submission_id"]
        with self.assertRaises(kitseal.WaitTimeout) as caught:
            self.client.wait_for_result(draft, timeout=0)
        error = caught.exception
        self.assertEqual((error.id, error.status, error.waiting["reason"]), (draft, "PENDING", "evidence"))
        self.assertRegex(str(error), "is still PENDING after 0 s, waiting for evidence since 20")
        for method in (self.client.seal, self.client.wait_for_result):
            self.assertEqual(inspect.signature(method).parameters["timeout"].default, 600)

    def test_null_is_sent_and_what_is_absent_is_not(self):
        created = self.client.create_submission(label="x", external_id="A-1", idempotency_key="our-own-key")
        again = self.client.create_submission(label="x", external_id="A-1", idempotency_key="our-own-key")
        self.assertEqual(created["submission_id"], again["submission_id"])
        changed = self.client.update_submission(created["submission_id"], external_id=None)
        self.assertEqual((changed["external_id"], changed["label"]), (None, "x"))
        path = "/v1/submissions/" + created["submission_id"]
        self.assertEqual(self.client.request("PATCH", path, {"external_id": "A-2"})["external_id"], "A-2")
        self.assertIsNone(self.client.request("DELETE", path))
        with self.assertRaises(ValueError):
            self.client.request("GET", "//other.example\r\nx: y")

    def test_an_error_has_the_code_and_the_request_id_of_the_service(self):
        with self.assertRaises(kitseal.ApiError) as caught:
            self.client.get_submission("sub_unknown")
        error = caught.exception
        self.assertEqual((error.status, error.code), (404, "submission_not_found"))
        self.assertRegex(error.request_id, "^req_")

    def test_an_id_cannot_change_the_path(self):
        for bad in ("", ".", ".."):
            with self.assertRaises(ValueError):
                self.client.get_manifest(bad)
        with self.assertRaises(kitseal.ApiError) as caught:
            self.client.get_manifest("../intake/jobs?a#b")
        self.assertEqual(caught.exception.code, "kit_not_found")


class Asynchronous(InFolder):
    def test_folders_are_sealed_at_the_same_time(self):
        async def run():
            async with kitseal.AsyncClient(URL, KEY) as client:
                trust = kitseal.trust_keys(await client.get_keys())
                seals = [client.seal("evidence", name="A%d" % at, trust=trust, into="%d.zip" % at) for at in range(3)]
                kits = await asyncio.gather(*seals)
                draft = (await client.create_submission(label="Draft"))["submission_id"]
                self.assertIsNone(await client.delete_submission(draft))
                found = [one["label"] async for one in client.iterate_submissions(limit=1)]
                return kits, found

        kits, found = asyncio.run(run())
        self.assertEqual(len({kit.kit_id for kit in kits}), 3)
        self.assertLessEqual({"A0", "A1", "A2"}, set(found))

    def test_cancelling_a_call_ends_its_thread(self):
        async def run():
            async with kitseal.AsyncClient(URL, KEY) as client:
                draft = (await client.create_submission(label="Draft"))["submission_id"]
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(client.wait_for_result(draft), 0.1)
                event = None
                async for event in client.stream_events(after=0):
                    break
                self.assertEqual(event["seq"], 1)

        before = threading.active_count()
        asyncio.run(run())
        end = time.monotonic() + 30
        while threading.active_count() > before and time.monotonic() < end:
            time.sleep(0.01)
        self.assertLessEqual(threading.active_count(), before)

    def test_both_clients_have_the_same_methods_with_documentation(self):
        for name, method in inspect.getmembers(kitseal.Client, inspect.isfunction):
            if not name.startswith("_"):
                self.assertTrue(method.__doc__, name)
                other = getattr(kitseal.AsyncClient, name)
                self.assertEqual(inspect.signature(other), inspect.signature(method), name)


class Requests(unittest.TestCase):
    def test_a_redirect_is_not_followed_and_the_key_stays_here(self):
        with server(lambda handler: say(handler, 200, OK)) as (other, seen):
            with server(lambda handler: say(handler, 307, b"", location=other + "/x")) as (url, _):
                with self.assertRaisesRegex(kitseal.RedirectError, "redirects to " + other):
                    kitseal.Client(url, "secret").me()
            self.assertEqual(seen, [])

    def test_only_what_is_safe_is_repeated_and_with_one_key(self):
        with server(lambda handler: say(handler, 503, b"busy")) as (url, seen):
            client = kitseal.Client(url, retry=QUICK)
            calls = [
                (lambda: client.create_submission(label="x"), 3),
                (lambda: client.get_keys(), 3),
                (lambda: client.delete_submission("a"), 3),
                (lambda: client.create_share(kit_id="a", expires_at="b"), 1),
                (lambda: client.update_submission("a", tags=[]), 1),
            ]
            for call, attempts in calls:
                seen.clear()
                with self.assertRaises(kitseal.ApiError) as caught:
                    call()
                self.assertEqual((caught.exception.status, caught.exception.code), (503, "answer_not_understood"))
                keys = {headers.get("idempotency-key") for _, _, headers, _ in seen}
                self.assertEqual((len(seen), len(keys)), (attempts, 1))
                self.assertEqual(None in keys, call is not calls[0][0])

    def test_a_long_retry_after_is_an_error_at_once(self):
        with server(lambda handler: say(handler, 429, b"", retry_after="3600")) as (url, seen):
            with self.assertRaises(kitseal.ApiError) as caught:
                kitseal.Client(url).get_keys()
            self.assertEqual((len(seen), caught.exception.retry_after), (1, 3600))

    def test_answers_that_are_not_from_the_service_are_refused(self):
        bodies = [b"", b"<html>", b"[]", b"{}", b'{"boundary":"b","boundary":"c"}', b'{"boundary":"b","a":NaN}', b"\xff", b"[" * 9999]
        for body in bodies:
            with server(lambda handler: say(handler, 200, body)) as (url, _):
                with self.assertRaises(kitseal.ApiError) as caught:
                    kitseal.Client(url, retry=ONCE).get_keys()
                self.assertEqual(caught.exception.code, "answer_not_understood")
        with server(lambda handler: say(handler, 200, OK, content_encoding="gzip")) as (url, _):
            with self.assertRaisesRegex(kitseal.ApiError, "compressed"):
                kitseal.Client(url, retry=ONCE).get_keys()

    def test_an_upload_whose_response_is_lost_is_stored_once(self):
        lost = []

        def forward(handler):
            method, path, headers, body = seen[-1]
            key = {name: headers[name] for name in headers if name.lower() not in ("host", "connection")}
            connection = http.client.HTTPConnection(URL.split("//")[1])
            with contextlib.closing(connection):
                connection.request(method, path, body or None, key)
                response = connection.getresponse()
                data = response.read()
            if path.endswith("/evidence") and not lost:
                lost.append(response.status)
                handler.close_connection = True
            else:
                say(handler, response.status, data)

        with server(forward) as (url, seen):
            client = kitseal.Client(url, KEY, retry=QUICK)
            submission = client.create_submission(label="Lost")["submission_id"]
            client.upload_evidence(submission, [kitseal.Evidence("a.txt", b"a")], final=False)
            self.assertEqual(len(client.get_submission(submission)["evidence"]), 1)
        keys = [headers["idempotency-key"] for method, path, headers, _ in seen if path.endswith("/evidence")]
        self.assertEqual((lost, len(keys), len(set(keys))), ([202], 2, 1))

    def test_a_response_that_is_cut_or_late_is_a_network_error(self):
        with server(lambda handler: say(handler, 200, b"{}", content_length="9")) as (url, _):
            with self.assertRaisesRegex(kitseal.NetworkError, "connection lost"):
                kitseal.Client(url, retry=ONCE).get_keys()
        release = threading.Event()
        with server(lambda _: release.wait(30)) as (url, _):
            with self.assertRaisesRegex(kitseal.NetworkError, "no response within 0.05 s"):
                kitseal.Client(url, retry=ONCE, timeout=0.05).get_keys()
            release.set()

        def drip(handler):
            handler.send_response(200)
            handler.end_headers()
            with contextlib.suppress(OSError):
                for _ in range(1000):
                    handler.wfile.write(b" ")
                    time.sleep(0.01)

        with server(drip) as (url, _), self.assertRaisesRegex(kitseal.NetworkError, "no response within"):
            kitseal.Client(url, retry=ONCE, timeout=0.2).get_keys()
        with self.assertRaisesRegex(kitseal.NetworkError, r"^GET http://127.0.0.1:1/.well-known/jwks.json: connection refused$"):
            kitseal.Client("http://127.0.0.1:1", retry=ONCE).get_keys()

    def test_an_interrupted_download_is_continued(self):
        data = os.urandom(1000)

        def answer(handler):
            start = int((handler.headers.get("range") or "bytes=0-")[6:-1])
            more = {"content_range": "bytes %d-999/1000" % start} if start else {}
            end = 1000 if start >= 600 else start + 300
            say(handler, 206 if start else 200, data[start:end], content_length=str(1000 - start), etag='"a"', **more)

        into = io.BytesIO()
        with server(answer) as (url, seen):
            kitseal.Client(url, retry=kitseal.RetryPolicy(attempts=2, base=0)).get_log_proof("kit_1", into=into)
        self.assertEqual((into.getvalue(), len(seen)), (data, 3))

    def test_a_part_is_never_taken_for_the_whole(self):
        for content_range in ("bytes 0-299/1000", "bytes 5-304/1000"):
            with server(lambda handler: say(handler, 206, bytes(300), content_range=content_range)) as (url, _):
                into = io.BytesIO()
                with self.assertRaises((kitseal.NetworkError, kitseal.ApiError)):
                    kitseal.Client(url, retry=ONCE).get_log_proof("kit_1", into=into)
                self.assertEqual(into.getvalue(), b"")

    def test_proxies_of_the_environment_are_used_and_their_refusals_named(self):
        with server(lambda handler: say(handler, 403, b"")) as (proxy, seen):
            at = proxy.replace("//", "//user:p%40ss@")
            with mock.patch.dict(os.environ, {"https_proxy": at, "http_proxy": at, "no_proxy": "direct.example"}):
                with self.assertRaisesRegex(kitseal.NetworkError, "the proxy refused the connection: 403"):
                    kitseal.Client("https://kitseal.example", "secret").get_keys()
                with self.assertRaises(kitseal.ApiError):
                    kitseal.Client("http://kitseal.example").get_keys()
                self.assertIsNone(kitseal.Client("https://direct.example")._transport.proxy)
                self.assertIsNone(kitseal.Client(URL)._transport.proxy)
            with mock.patch.dict(os.environ, {"https_proxy": "socks5://u:hidden@x"}), self.assertRaises(ValueError) as caught:
                kitseal.Client("https://kitseal.example")
            self.assertNotIn("hidden", str(caught.exception))
        (tunnel, plain) = seen
        self.assertEqual(tunnel[:2], ("CONNECT", "kitseal.example:443"))
        self.assertNotIn("secret", str(tunnel))
        self.assertEqual(plain[1], "http://kitseal.example/.well-known/jwks.json")
        for _, _, headers, _ in seen:
            self.assertEqual(headers["Proxy-Authorization"], "Basic " + base64.b64encode(b"user:p@ss").decode())

    def test_certificates_are_checked(self):
        with tempfile.TemporaryDirectory() as folder:
            key, certificate = os.path.join(folder, "key.pem"), os.path.join(folder, "certificate.pem")
            command = "openssl req -x509 -newkey ed25519 -nodes -days 2 -subj /CN=t -addext subjectAltName=IP:127.0.0.1"
            subprocess.run([*command.split(), "-keyout", key, "-out", certificate], check=True, capture_output=True)
            tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            tls.load_cert_chain(certificate, key)
            with server(lambda handler: say(handler, 200, OK), tls) as (url, seen):
                with self.assertRaisesRegex(kitseal.NetworkError, "the certificate is not trusted"):
                    kitseal.Client(url).get_keys()
                self.assertEqual(seen, [])
                plain = kitseal.Client(URL.replace("http:", "https:"))
                with self.assertRaisesRegex(kitseal.NetworkError, "TLS failed: "):
                    plain.get_keys()
                self.assertEqual(kitseal.Client(url, ca_file=certificate).get_keys(), OK)

    def test_urls_and_keys_that_are_invalid_are_refused(self):
        urls = ["", "kitseal.example", "ftp://x", "http://", "http://u:p@x", "http://x/?q", "http://x#f", "http://x:99999", "http://x\ny"]
        for url in urls:
            with self.assertRaises(ValueError, msg=url):
                kitseal.Client(url)
        for key in ("a b", "a\r\nx: y", "é", ""):
            with self.assertRaises(ValueError):
                kitseal.Client(URL, key)


class Verifying(unittest.TestCase):
    trust = kitseal.Trust(kids=[SAMPLE_KID])

    def test_a_path_bytes_and_a_file_object_give_the_same_report(self):
        data = pathlib.Path(SAMPLE).read_bytes()
        report = kitseal.verify_kit(SAMPLE, self.trust)
        self.assertEqual((report["status"], report["verdict"]), ("PASS", "verified"))
        self.assertEqual(kitseal.verify_kit(pathlib.Path(SAMPLE), self.trust), report)
        self.assertEqual(kitseal.verify_kit(data, self.trust), report)
        with open(SAMPLE, "rb") as file:
            file.seek(7)
            self.assertEqual(kitseal.verify_kit(file, self.trust), report)
            self.assertEqual(file.tell(), 7)

    def test_no_bytes_are_an_exception_and_no_changed_kit_passes(self):
        data = bytearray(pathlib.Path(SAMPLE).read_bytes())
        data[2000] ^= 1
        self.assertEqual(kitseal.verify_kit(bytes(data), self.trust)["status"], "FAIL")
        for junk in (b"", b"PK", bytes(data[:500])):
            self.assertEqual(kitseal.verify_kit(junk, self.trust)["verdict"], "unreadable")
        self.assertEqual(kitseal.verify_kit(SAMPLE, kitseal.NO_TRUST)["verdict"], "sender_unconfirmed")
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(kitseal.verify_kit(folder, self.trust)["verdict"], "unreadable")
            with self.assertRaises(FileNotFoundError):
                kitseal.verify_kit(os.path.join(folder, "missing.zip"), self.trust)
        with open(SAMPLE, encoding="latin-1") as text, self.assertRaisesRegex(TypeError, "'rb'"):
            kitseal.verify_kit(text, self.trust)

    def test_trust_that_cannot_be_read_is_refused_at_once(self):
        bad = [dict(kids=["short"]), dict(key_sets=[b"{"]), dict(key_sets=[{"keys": 1}]), dict(log_policy=b"x")]
        for given in bad:
            with self.assertRaises(ValueError, msg=given):
                kitseal.Trust(**given)
        for given in (dict(kids=SAMPLE_KID), dict(key_sets={"keys": []})):
            with self.assertRaises(TypeError):
                kitseal.Trust(**given)

    def test_a_file_with_the_copy_of_the_keys_in_the_kit_confirms_nothing(self):
        with open(SAMPLE, "rb") as file:
            kit = kitseal.verification._verifier.ZipKit(kitseal.verification._verifier.Source(file))
            keys = kit.read("jwks.json", 2**20)
        self.assertEqual(kitseal.verify_kit(SAMPLE, kitseal.trust_keys(keys))["verdict"], "sender_unconfirmed")
        self.assertEqual(kitseal.verify_kit(SAMPLE, kitseal.trust_keys(json.loads(keys)))["verdict"], "verified")


class Documentation(InFolder):
    def test_examples_of_docstrings_are_true(self):
        shutil.copy(SAMPLE, "kit.zip")
        names = {"os": os, "asyncio": asyncio, "trust_keys": kitseal.trust_keys, "VerifiedKit": kitseal.VerifiedKit}
        for module in (kitseal.client, kitseal.async_client, kitseal.verification, kitseal.evidence, kitseal.webhooks):
            result = doctest.testmod(module, extraglobs=names)
            self.assertEqual(result.failed, 0)
            self.assertGreater(result.attempted, 0)


class Webhooks(unittest.TestCase):
    secret = "whsec_" + base64.b64encode(b"k" * 24).decode()
    body = b'{"type":"kit.issued","seq":1}'

    def headers(self, body=body, sent="1000", key=b"k" * 24):
        mac = base64.b64encode(hmac.new(key, b"msg_1.%s.%s" % (sent.encode(), body), hashlib.sha256).digest())
        return {"Webhook-Id": "msg_1", "Webhook-Timestamp": sent, "Webhook-Signature": "v1a,x v1,%s" % mac.decode()}

    def test_a_message_of_the_service_is_its_event(self):
        for body in (self.body, self.body.decode()):
            event = kitseal.verify_webhook(body, self.headers(), self.secret, now=1200)
            self.assertEqual(event, {"type": "kit.issued", "seq": 1})

    def test_anything_else_is_refused(self):
        missing = self.headers()
        del missing["Webhook-Id"]
        for body, headers, now in (
            (self.body + b" ", self.headers(), 1000),
            (self.body, self.headers(key=b"x" * 24), 1000),
            (self.body, self.headers(), 1301),
            (self.body, self.headers(), 699),
            (self.body, self.headers(sent="1e3"), 1000),
            (self.body, missing, 1000),
            (b"[1]", self.headers(b"[1]"), 1000),
        ):
            with self.assertRaises(kitseal.WebhookError):
                kitseal.verify_webhook(body, headers, self.secret, now=now)
        for secret in ("", "whsec_", "whsec_!", "kkkk"):
            with self.assertRaises(ValueError):
                kitseal.verify_webhook(self.body, self.headers(), secret, now=1000)


if __name__ == "__main__":
    unittest.main()
