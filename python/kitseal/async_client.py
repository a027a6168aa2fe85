"""The client for asyncio. Each call runs in a thread, so it does what the other client does."""

import asyncio
import functools
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Coroutine, Iterator, Mapping, Optional, TypeVar, cast

from ._files import Target
from ._operations import Operations
from ._transport import Json, RetryPolicy
from .client import Client

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec("P")

T = TypeVar("T")
#: What `await` takes, and `asyncio.create_task`.
Call = Coroutine[Any, Any, T]
#: Calls at the same time. More of them wait.
THREADS = 32
_END: Any = object()


def _in_thread(method: "Callable[Concatenate[Client, P], T]") -> "Callable[Concatenate[AsyncClient, P], Call[T]]":
    @functools.wraps(method)
    async def call(self: "AsyncClient", *args: Any, **named: Any) -> Any:
        client = self._client._stoppable()
        run = functools.partial(method, client, *args, **named)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, run)
        finally:
            client._transport.stop.set()

    return cast("Callable[Concatenate[AsyncClient, P], Call[T]]", call)


def _each_in_thread(
    method: "Callable[Concatenate[Client, P], Iterator[T]]",
) -> "Callable[Concatenate[AsyncClient, P], AsyncIterator[T]]":
    @functools.wraps(method)
    async def each(self: "AsyncClient", *args: Any, **named: Any) -> Any:
        client = self._client._stoppable()
        items = method(client, *args, **named)
        try:
            while True:
                item = await asyncio.get_running_loop().run_in_executor(self._pool, next, items, _END)
                if item is _END:
                    return
                yield item
        finally:
            client._transport.stop.set()

    return cast("Callable[Concatenate[AsyncClient, P], AsyncIterator[T]]", each)


class AsyncClient(Operations[Call[Json], Call[None]]):
    """Client for asyncio, with the same methods. Each call runs in one of 32 threads.

    Cancelling a call ends it before its next request, chunk or wait. Functions such as `on_status` are called in the thread
    of the call.

    >>> async def sealed() -> VerifiedKit:
    ...     async with AsyncClient(os.environ["KITSEAL_URL"], os.environ["KITSEAL_API_KEY"]) as client:
    ...         trust = trust_keys(await client.get_keys())
    ...         return await client.seal("evidence", name="Access review", trust=trust, into="sealed.zip")
    >>> asyncio.run(sealed()).report["status"]
    'PASS'
    """

    def __init__(
        self, base_url: str, api_key: Optional[str] = None, *, timeout: float = 30.0,
        retry: RetryPolicy = RetryPolicy(), ca_file: Optional[str] = None, headers: Mapping[str, str] = {}
    ) -> None:
        self._client = Client(base_url, api_key, timeout=timeout, retry=retry, ca_file=ca_file, headers=headers)
        self._pool = ThreadPoolExecutor(THREADS, "kitseal")

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Ends the threads that have nothing to do. Call it last, or use the client in an `async with` statement."""
        self._pool.shutdown(wait=False)

    seal = _in_thread(Client.seal)
    upload_evidence = _in_thread(Client.upload_evidence)
    upload_file = _in_thread(Client.upload_file)
    delete_upload = _in_thread(Client.delete_upload)
    wait_for_result = _in_thread(Client.wait_for_result)
    wait_for_job = _in_thread(Client.wait_for_job)
    download_kit = _in_thread(Client.download_kit)
    verify_kit = _in_thread(Client.verify_kit)
    request = _in_thread(Client.request)
    exchange_token = _in_thread(Client.exchange_token)
    iterate_submissions = _each_in_thread(Client.iterate_submissions)
    events = _each_in_thread(Client.events)
    stream_events = _each_in_thread(Client.stream_events)

    def _ask(self, method: str, path: str, ids: Any, query: Any, body: Any = None, key: Any = None) -> Call[Json]:
        return self._run("_ask", method, path, ids, query, body, key)

    def _act(self, method: str, path: str, ids: Any, query: Any, body: Any = None, key: Any = None) -> Call[None]:
        return self._run("_act", method, path, ids, query, body, key)

    def _save(self, path: str, ids: Any, query: Any, into: Target) -> Call[None]:
        return self._run("_save", path, ids, query, into)

    def _run(self, method: str, *args: Any) -> Call[Any]:
        return _in_thread(getattr(Client, method))(self, *args)
