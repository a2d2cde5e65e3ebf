"""The tables of the store, as a list of migrations.

Each migration is a function that takes the database one step further; the names of those applied
stand in the table ``_migrations``. A migration that users may have applied is never changed:
add another one.

=====================  ==========================================================================
table                  what it holds
=====================  ==========================================================================
``quotes``             the quotations, with folded forms for look-up
``authors``            one row per person or people; ``author_aliases`` their other names
``quote_topics``       the topics of ``quotes``, one row each
``quotes_words``       full text: stemmed words; bigrams of Han characters
``quotes_trigrams``    full text: character trigrams, for misspelt look-up
``links``              a shorter quotation and the longer one that contains it
``encoders``           sentence encoders; ``vectors`` their vectors of the quotations
``measures``           a number per quotation, model and name; ``author_measures`` per author
``calibrations``       mu and k of a criterion for a model (QUILL Appendix D)
``meta``               everything else, as key and value
=====================  ==========================================================================
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from sqlite_utils import Database

from quill_ls.errors import StoreError
from quill_ls.store.connection import Connection

Migration = Callable[[Database], None]


def m001_quotes(db: Database) -> None:
    """Create quotations, authors and their aliases, topics and links."""
    db.executescript(
        """
        CREATE TABLE authors (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            folded TEXT NOT NULL UNIQUE
        );
        CREATE TABLE author_aliases (
            folded TEXT NOT NULL,
            author_id INTEGER NOT NULL REFERENCES authors(id) ON DELETE CASCADE,
            alias TEXT NOT NULL,
            PRIMARY KEY (folded, author_id)
        ) WITHOUT ROWID;
        CREATE INDEX author_aliases_author ON author_aliases(author_id);

        -- AUTOINCREMENT: the id of a removed quotation is never given to another, so that vectors
        -- and scores kept in memory by another process cannot come to mean a different text.
        CREATE TABLE quotes (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            text TEXT NOT NULL,
            author TEXT NOT NULL,
            author_id INTEGER REFERENCES authors(id),
            work TEXT NOT NULL,
            locator TEXT NOT NULL,
            year INTEGER,
            language TEXT NOT NULL,
            tier TEXT NOT NULL,
            topics TEXT NOT NULL,           -- JSON array
            collection TEXT NOT NULL,
            licence TEXT NOT NULL,
            source TEXT NOT NULL,
            search_frequency INTEGER,
            carried INTEGER NOT NULL,
            length INTEGER NOT NULL,        -- code points of text
            folded TEXT NOT NULL,
            folded_author TEXT NOT NULL,
            folded_work TEXT NOT NULL,
            segmented TEXT,                 -- of a folded text with Han characters: its bigrams
            text_hash INTEGER NOT NULL,     -- of folded
            hash BLOB NOT NULL UNIQUE       -- of folded and folded_author
        );
        CREATE INDEX quotes_text_hash ON quotes(text_hash);
        CREATE INDEX quotes_author ON quotes(author_id);
        CREATE INDEX quotes_facets ON quotes(language, tier, collection, length, author_id);

        CREATE TABLE quote_topics (
            topic TEXT NOT NULL,
            quote_id INTEGER NOT NULL REFERENCES quotes(id) ON DELETE CASCADE,
            PRIMARY KEY (topic, quote_id)
        ) WITHOUT ROWID;
        CREATE INDEX quote_topics_quote ON quote_topics(quote_id);
        CREATE TABLE links (
            shorter INTEGER NOT NULL REFERENCES quotes(id) ON DELETE CASCADE,
            longer INTEGER NOT NULL REFERENCES quotes(id) ON DELETE CASCADE,
            PRIMARY KEY (shorter, longer)
        ) WITHOUT ROWID;
        CREATE INDEX links_longer ON links(longer);

        CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        """
    )


def m002_full_text_indexes(db: Database) -> None:
    """Create the two full-text indexes, fed from one view (`quill_ls.store.indexing`).

    Texts are indexed folded, so that "don’t" and "dont", 莊子 and 庄子 are one. SQLite's own
    word tokeniser takes a run of Han characters for one word; such texts are indexed by their
    bigrams, and need no trigrams.
    """
    db.executescript(
        """
        CREATE VIEW quotes_searchable AS SELECT
            id,
            coalesce(segmented, folded) AS text,
            folded_author AS author,
            folded_work AS work,
            topics,
            CASE WHEN segmented IS NULL THEN folded ELSE '' END AS spelling
        FROM quotes;
        CREATE VIRTUAL TABLE quotes_words USING fts5(
            text, author, work, topics,
            content='quotes_searchable', content_rowid='id',
            tokenize='porter unicode61 remove_diacritics 2'
        );
        CREATE VIRTUAL TABLE quotes_trigrams USING fts5(
            spelling,
            content='quotes_searchable', content_rowid='id',
            tokenize='trigram', detail='none'
        );
        """
    )


def m003_vectors_and_measures(db: Database) -> None:
    """Create what encoders and models have computed about quotations and authors."""
    db.executescript(
        """
        CREATE TABLE encoders (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE vectors (
            encoder_id INTEGER NOT NULL REFERENCES encoders(id) ON DELETE CASCADE,
            quote_id INTEGER NOT NULL REFERENCES quotes(id) ON DELETE CASCADE,
            vector BLOB NOT NULL,           -- float16, little-endian
            PRIMARY KEY (encoder_id, quote_id)
        );
        CREATE INDEX vectors_quote ON vectors(quote_id);

        CREATE TABLE measure_kinds (
            id INTEGER PRIMARY KEY,
            model TEXT NOT NULL,
            name TEXT NOT NULL,
            UNIQUE (model, name)
        );
        CREATE TABLE measures (
            kind_id INTEGER NOT NULL REFERENCES measure_kinds(id) ON DELETE CASCADE,
            quote_id INTEGER NOT NULL REFERENCES quotes(id) ON DELETE CASCADE,
            value REAL NOT NULL,
            PRIMARY KEY (kind_id, quote_id)
        ) WITHOUT ROWID;
        CREATE INDEX measures_quote ON measures(quote_id);
        CREATE TABLE author_measures (
            kind_id INTEGER NOT NULL REFERENCES measure_kinds(id) ON DELETE CASCADE,
            author_id INTEGER NOT NULL REFERENCES authors(id) ON DELETE CASCADE,
            value REAL NOT NULL,
            PRIMARY KEY (kind_id, author_id)
        ) WITHOUT ROWID;
        CREATE INDEX author_measures_author ON author_measures(author_id);

        CREATE TABLE calibrations (
            model TEXT NOT NULL,
            criterion TEXT NOT NULL,
            mu REAL NOT NULL,
            k REAL NOT NULL,
            n INTEGER NOT NULL,             -- size of the sample
            PRIMARY KEY (model, criterion)
        ) WITHOUT ROWID;
        """
    )


MIGRATIONS: tuple[Migration, ...] = (
    m001_quotes,
    m002_full_text_indexes,
    m003_vectors_and_measures,
)


def bring_up_to_date(connection: Connection) -> None:
    """Apply the migrations that the store lacks, all or none of them.

    Raises
    ------
    StoreError
        If the file is another program's database, was made by a newer version of Quill, or
        lacks migrations and cannot be written.
    """
    if not _missing(connection):
        return
    if connection.readonly:
        raise StoreError(
            f"The store {connection.path} was made by an older version of Quill.",
            "Open it once where it can be written, so that it is brought up to date.",
        )
    with connection.transaction():
        # Another process may have been faster: look again now that the lock is ours.
        for migration in _missing(connection):
            migration(connection.db)
            connection.db["_migrations"].insert(  # type: ignore[union-attr]
                {
                    "name": migration.__name__,
                    "applied": datetime.now(UTC).isoformat(timespec="seconds"),
                },
                pk="name",
            )


def _missing(connection: Connection) -> list[Migration]:
    tables = {name for (name,) in connection.rows("SELECT name FROM sqlite_master")}
    if "_migrations" not in tables:
        if tables:
            raise StoreError(
                f"{connection.path} is a database, but not a Quill store.",
                "Choose another file with --store.",
            )
        return list(MIGRATIONS)
    applied = {name for (name,) in connection.rows("SELECT name FROM _migrations")}
    unknown = applied - {migration.__name__ for migration in MIGRATIONS}
    if unknown:
        raise StoreError(
            f"The store {connection.path} was made by a newer version of Quill "
            f"({', '.join(sorted(unknown))}).",
            "Update quill-ls, or choose another store with --store.",
        )
    return [migration for migration in MIGRATIONS if migration.__name__ not in applied]
