-- A town library: keys declared, books by several authors, people of the same name, loans not yet returned, members who
-- never borrowed, books nobody wrote down a genre for. Every row follows from its number, so that answers stay true.

CREATE TABLE branches (branch_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL);
INSERT INTO branches VALUES (1, 'Central', 'Oslo'), (2, 'Harbour', 'Bergen'), (3, 'Hillside', 'Oslo');

CREATE TABLE authors (author_id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT, birth_year INTEGER);
INSERT INTO authors VALUES
    (1, 'Astrid Holm', 'Norway', 1950), (2, 'John Smith', 'United Kingdom', 1961), (3, 'John Smith', 'United States', 1975),
    (4, 'Márta Szabó', 'Hungary', 1948), (5, 'Ken Tanaka', 'Japan', 1970), (6, 'Lucia Ferri', 'Italy', NULL),
    (7, 'Pavel Novak', NULL, 1939), (8, 'Ingrid Vik', 'Norway', 1982);

CREATE TABLE books (book_id INTEGER PRIMARY KEY, title TEXT NOT NULL, genre TEXT, published_year INTEGER, pages INTEGER,
    price REAL);
INSERT INTO books
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
SELECT i,
    CASE i WHEN 7 THEN 'Selected Poems' WHEN 23 THEN 'Selected Poems' WHEN 11 THEN 'Order & Chaos' ELSE 'Volume ' || i END,
    CASE WHEN i % 13 = 0 THEN NULL ELSE
        CASE i % 4 WHEN 0 THEN 'Crime' WHEN 1 THEN 'Poetry' WHEN 2 THEN 'History' ELSE 'Science' END END,
    1960 + (i * 7) % 60, 80 + (i * 37) % 420, CASE WHEN i % 9 = 0 THEN NULL ELSE 5 + (i * 11) % 30 + 0.5 END
FROM n;

CREATE TABLE book_authors (book_id INTEGER NOT NULL REFERENCES books (book_id),
    author_id INTEGER NOT NULL REFERENCES authors (author_id), PRIMARY KEY (book_id, author_id));
INSERT INTO book_authors
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
SELECT i, 1 + (i * 3) % 7 FROM n
UNION SELECT i, 1 + (i * 3 + 2) % 7 FROM n WHERE i % 3 = 0;

CREATE TABLE copies (copy_id INTEGER PRIMARY KEY, book_id INTEGER NOT NULL REFERENCES books (book_id),
    branch_id INTEGER NOT NULL REFERENCES branches (branch_id), acquired_on TEXT NOT NULL, condition TEXT);
INSERT INTO copies
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90)
SELECT i, 1 + (i * 17) % 38, 1 + (i + i / 5) % 3, date('2015-01-01', '+' || (i * 29) || ' days'),
    CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN 'new' WHEN 2 THEN 'worn' ELSE 'good' END
FROM n;

CREATE TABLE members (member_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, email TEXT,
    city TEXT, joined_on TEXT NOT NULL, kind TEXT NOT NULL);
INSERT INTO members
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
SELECT i,
    CASE WHEN i IN (5, 30) THEN 'Anna' ELSE CASE i % 6 WHEN 0 THEN 'Nils' WHEN 1 THEN 'Sara' WHEN 2 THEN 'Tom' WHEN 3 THEN 'Eva'
        WHEN 4 THEN 'Jan' ELSE 'Mia' END END,
    CASE WHEN i IN (5, 30) THEN 'Berg' ELSE CASE i % 9 WHEN 0 THEN 'Lie' WHEN 1 THEN 'Dahl' WHEN 2 THEN 'Moe' WHEN 3 THEN 'Haug'
        WHEN 4 THEN 'Strand' WHEN 5 THEN 'Lund' WHEN 6 THEN 'Bakke' WHEN 7 THEN 'Vang' ELSE 'Ness' END END,
    CASE WHEN i % 7 = 0 THEN NULL ELSE 'm' || i || '@example.org' END,
    CASE WHEN i % 11 = 0 THEN NULL WHEN i % 3 = 0 THEN 'Bergen' ELSE 'Oslo' END,
    date('2019-01-10', '+' || (i * 41) || ' days'), CASE WHEN i % 4 = 0 THEN 'student' WHEN i % 10 = 1 THEN 'senior' ELSE 'adult' END
FROM n;

CREATE TABLE loans (loan_id INTEGER PRIMARY KEY, copy_id INTEGER NOT NULL REFERENCES copies (copy_id),
    member_id INTEGER NOT NULL REFERENCES members (member_id), loaned_on TEXT NOT NULL, due_on TEXT NOT NULL, returned_on TEXT);
INSERT INTO loans
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
SELECT i, 1 + (i * 31 + i * i / 7) % 85, 1 + (i * 13 + i * i / 11) % 44, date('2022-01-03', '+' || (i * 3) || ' days'),
    date('2022-01-03', '+' || (i * 3 + 28) || ' days'),
    CASE WHEN i % 17 = 0 THEN NULL ELSE date('2022-01-03', '+' || (i * 3 + 5 + (i * 7) % 45) || ' days') END
FROM n;

CREATE TABLE fines (fine_id INTEGER PRIMARY KEY, loan_id INTEGER NOT NULL REFERENCES loans (loan_id), amount REAL NOT NULL,
    issued_on TEXT NOT NULL, paid BOOLEAN NOT NULL);
INSERT INTO fines
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)
SELECT i, 1 + (i * 11) % 400, 2 + (i * 5) % 18 + 0.5, date('2022-02-20', '+' || ((1 + (i * 11) % 400) * 3) || ' days'),
    CASE WHEN i % 3 = 0 THEN 0 ELSE 1 END
FROM n;

CREATE TABLE reservations (reservation_id INTEGER PRIMARY KEY, book_id INTEGER NOT NULL REFERENCES books (book_id),
    member_id INTEGER NOT NULL REFERENCES members (member_id), reserved_on TEXT NOT NULL, status TEXT NOT NULL);
INSERT INTO reservations
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
SELECT i, 1 + (i * 5) % 40, 1 + (i * 7) % 48, date('2023-01-01', '+' || (i * 12) || ' days'),
    CASE i % 4 WHEN 0 THEN 'expired' WHEN 1 THEN 'open' ELSE 'collected' END
FROM n;
