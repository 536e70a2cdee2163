-- A lending library: columns with their unit in the name, copies between loans and books, members of three categories,
-- fines that are 0 or missing, books nobody ever took and members who never came.

CREATE TABLE members (member_no INTEGER PRIMARY KEY, full_name TEXT NOT NULL, born_on TEXT, joined_on TEXT NOT NULL,
    category TEXT NOT NULL, town TEXT);
INSERT INTO members
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
SELECT i, 'Member ' || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 1 + (i * 7) % 26, 1) || substr('abcdefghijklmnopqrstuvwxyz', 1 + (i * 11) % 26, 1) || i,
    CASE WHEN i % 19 = 0 THEN NULL WHEN i % 5 = 0 THEN (2008 + i % 8) || '-05-1' || (i % 9)
        WHEN i % 5 = 1 THEN (1940 + i % 15) || '-11-0' || (1 + i % 8) ELSE (1970 + i % 30) || '-02-2' || (i % 7) END,
    (2020 + i % 4) || '-0' || (1 + i % 9) || '-15',
    CASE WHEN i % 5 = 0 THEN 'child' WHEN i % 5 = 1 THEN 'senior' ELSE 'adult' END,
    CASE i % 4 WHEN 0 THEN 'Lund' WHEN 1 THEN 'Malmo' WHEN 2 THEN 'Ystad' ELSE 'Lund' END
FROM n;

CREATE TABLE authors (author_id INTEGER PRIMARY KEY, author_name TEXT NOT NULL, country TEXT);
INSERT INTO authors VALUES (1, 'Selma Krook', 'Sweden'), (2, 'Janis Ozols', 'Latvia'), (3, 'Mari Tamm', 'Estonia'),
    (4, 'Ruta Liepa', 'Latvia'), (5, 'Olof Brandt', 'Sweden'), (6, 'Kaarel Saar', 'Estonia'), (7, 'Jean Moreau', 'France'),
    (8, 'Piret Kask', NULL);

CREATE TABLE books (isbn TEXT PRIMARY KEY, title TEXT NOT NULL, genre TEXT, pages INTEGER, weight_g INTEGER, price_eur REAL,
    published_on TEXT);
INSERT INTO books
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
SELECT '978-' || (1000 + i * 37), 'The ' || substr('RedOldWetDimFarLowBigShyDry', 1 + 3 * (i % 9), 3) || ' Garden ' || i,
    CASE i % 5 WHEN 0 THEN 'Crime' WHEN 1 THEN 'Poetry' WHEN 2 THEN 'Travel' WHEN 3 THEN 'Fantasy' ELSE 'Crime' END,
    90 + (i * 53) % 480, 150 + (i * 31) % 700, CASE WHEN i % 11 = 0 THEN NULL ELSE 6 + (i * 7) % 29 + 0.5 END,
    (1975 + (i * 3) % 45) || '-06-01'
FROM n;

CREATE TABLE book_authors (isbn TEXT NOT NULL REFERENCES books (isbn), author_id INTEGER NOT NULL REFERENCES authors (author_id),
    PRIMARY KEY (isbn, author_id));
INSERT INTO book_authors
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
SELECT '978-' || (1000 + i * 37), 1 + (i * 5) % 7 FROM n
UNION SELECT '978-' || (1000 + i * 37), 1 + (i * 5 + 3) % 7 FROM n WHERE i % 4 = 0;

CREATE TABLE copies (copy_no INTEGER PRIMARY KEY, isbn TEXT NOT NULL REFERENCES books (isbn), bought_on TEXT NOT NULL);
INSERT INTO copies
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 52)
SELECT i, '978-' || (1000 + (1 + (i * 11) % 28) * 37), (2019 + i % 5) || '-03-1' || (i % 9) FROM n;

CREATE TABLE loans (loan_no INTEGER PRIMARY KEY, copy_no INTEGER NOT NULL REFERENCES copies (copy_no),
    member_no INTEGER NOT NULL REFERENCES members (member_no), loaned_on TEXT NOT NULL, due_on TEXT NOT NULL, returned_on TEXT,
    fine_eur REAL);
INSERT INTO loans
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 260)
SELECT i, 1 + (i * i * 7 + i) % 44, 1 + (i * i * 3 + i * 5) % 37,
    date('2023-01-04', '+' || (i * 2 + (i * i) % 5 + CASE WHEN i > 180 THEN i / 2 ELSE 0 END) || ' days'),
    date('2023-01-04', '+' || (i * 2 + (i * i) % 5 + CASE WHEN i > 180 THEN i / 2 ELSE 0 END + 21) || ' days'),
    CASE WHEN i % 13 = 0 THEN NULL ELSE
        date('2023-01-04', '+' || (i * 2 + (i * i) % 5 + CASE WHEN i > 180 THEN i / 2 ELSE 0 END + 8 + (i * 7) % 19) || ' days') END,
    CASE WHEN i % 13 = 0 THEN NULL WHEN (i * 7) % 19 > 13 THEN 0.5 * ((i * 7) % 19 - 13) + (i % 3) ELSE 0 END
FROM n;
