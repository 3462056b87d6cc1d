"""Hybrid lookups with sqlite-vec and FTS5, timed: sqlite_vec_fts5.py <folder> <dimensions>

The folder holds passages.json and questions.json (lists of texts), and passages.f32 and
questions.f32 (a unit vector for each, one after another, little-endian). The twenty nearest by
cosine and the twenty best by BM25 are fused by reciprocal rank (k = 60), and the texts of the best
three are read. Prints {"buildMs", "p50", "p99"} as JSON, the last two in microseconds a question.
"""

import json
import re
import sys
import time
from collections import defaultdict
from pathlib import Path

import apsw
import sqlite_vec

CANDIDATES = 20
BEST = 3
RANK_OFFSET = 60
LONGEST_SECONDS = 10


def read_vectors(path, dimensions):
    data = path.read_bytes()
    size = dimensions * 4
    return [data[at : at + size] for at in range(0, len(data), size)]


def open_database(path):
    # Not the standard library's sqlite3: many builds of it cannot load extensions.
    database = apsw.Connection(str(path))
    database.enable_load_extension(True)
    database.load_extension(sqlite_vec.loadable_path())
    database.enable_load_extension(False)
    return database


def build(database, texts, vectors, dimensions):
    database.execute(
        f"CREATE VIRTUAL TABLE vectors USING vec0(vector float[{dimensions}] distance_metric=cosine)"
    )
    database.execute("CREATE VIRTUAL TABLE passages USING fts5(text, tokenize='porter unicode61')")
    with database:
        insert = "INSERT INTO vectors(rowid, vector) VALUES (?, ?)"
        database.executemany(insert, enumerate(vectors, 1))
        insert = "INSERT INTO passages(rowid, text) VALUES (?, ?)"
        database.executemany(insert, enumerate(texts, 1))


def look_up(database, question, vector):
    by_vector = database.execute(
        "SELECT rowid FROM vectors WHERE vector MATCH ? AND k = ? ORDER BY distance",
        (vector, CANDIDATES),
    ).fetchall()
    words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question))
    by_words = database.execute(
        "SELECT rowid FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT ?",
        (words, CANDIDATES),
    ).fetchall()
    scores = defaultdict(float)
    for ranked in (by_vector, by_words):
        for place, (row,) in enumerate(ranked, 1):
            scores[row] += 1 / (RANK_OFFSET + place)
    best = sorted(scores, key=lambda row: (-scores[row], row))[:BEST]
    read = "SELECT text FROM passages WHERE rowid = ?"
    return [database.execute(read, (row,)).fetchone()[0] for row in best]


def percentile(times, share):
    return sorted(times)[round(share * (len(times) - 1))] * 1e6


def main():
    folder, dimensions = Path(sys.argv[1]), int(sys.argv[2])
    texts = json.loads((folder / "passages.json").read_text("utf-8"))
    questions = json.loads((folder / "questions.json").read_text("utf-8"))
    vectors = read_vectors(folder / "passages.f32", dimensions)
    asked = read_vectors(folder / "questions.f32", dimensions)
    began = time.perf_counter()
    database = open_database(folder / "index.sqlite")
    build(database, texts, vectors, dimensions)
    built = time.perf_counter()
    times = []
    for question, vector in zip(questions, asked):
        if time.perf_counter() - built > LONGEST_SECONDS:
            break
        start = time.perf_counter()
        look_up(database, question, vector)
        times.append(time.perf_counter() - start)
    figures = {"p50": percentile(times, 0.5), "p99": percentile(times, 0.99)}
    print(json.dumps({"buildMs": (built - began) * 1000, **figures}))


main()
