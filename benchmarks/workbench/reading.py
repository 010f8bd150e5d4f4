"""Many people at once who move the slider on Overview, each on a workspace of their own."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import random
from multiprocessing.connection import Connection

from benchmarks.workbench import table
from benchmarks.workbench.cases import sample
from benchmarks.workbench.client import Reader
from benchmarks.workbench.serving import Server
from dashboard.store import open_store

TARGET = 300


def many_readers(server: Server, people: int, moves: int) -> None:
    for pause, name in ((4.0, "a move every 4 seconds"), (2.0, "a move every 2 seconds")):
        with open_store(server.store_url) as store:
            links = [sample(store, "law-school").token for _ in range(people)]
        table.part(
            f"{people} sessions at once on law-school's Overview, {moves} moves of k, {name}"
        )
        before = server.cpu()
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe(duplex=False)
        process = context.Process(target=_people, args=(there, server.stream, links, moves, pause))
        process.start()
        there.close()
        found: list[float] = json.loads(here.recv())
        process.join()
        table.times("k moved → last message with the new charts", found, TARGET)
        spent = 1000 * (server.cpu() - before) / len(found)
        table.figure("the server's processor time a move, opening included", f"{spent:,.0f} ms")


def _people(there: Connection, stream: str, links: list[str], moves: int, pause: float) -> None:
    there.send(json.dumps(asyncio.run(_all(stream, links, moves, pause))))


async def _all(stream: str, links: list[str], moves: int, pause: float) -> list[float]:
    ready = asyncio.Barrier(len(links))
    entering = asyncio.Semaphore(2)  # they come one after the other, then all look

    async def person(number: int, link: str) -> list[float]:
        chance = random.Random(number)
        client = Reader(stream, link)
        async with entering:
            await client.__aenter__()
        try:
            await ready.wait()
            await asyncio.sleep(chance.uniform(0, pause))
            found = []
            for turn in range(moves):
                spent = await client.slide(16 + number + turn)
                found.append(1000 * spent)
                await asyncio.sleep(max(0.0, pause * chance.uniform(0.5, 1.5) - spent))
            return found
        finally:
            await client.__aexit__()

    parts = await asyncio.gather(*(person(number, link) for number, link in enumerate(links)))
    return [spent for part in parts for spent in part]
