-- Subscriptions and billing of a software service: no key is declared, names tell them; an invoice has an amount of its own
-- beside its lines (tax is only in the header), two tables of facts share the accounts, tags are many to many, accounts
-- without anything exist, and text holds quotes and words that SQL reserves.

CREATE TABLE accounts (id INTEGER PRIMARY KEY, name TEXT NOT NULL, industry TEXT, country TEXT, created_at TEXT NOT NULL,
    employees INTEGER);
INSERT INTO accounts
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 36)
SELECT i,
    CASE i WHEN 3 THEN 'O''Hara & Sons' WHEN 9 THEN 'Select Group' WHEN 12 THEN 'Nordlicht' WHEN 27 THEN 'Nordlicht'
        WHEN 15 THEN 'Łódź Glass' ELSE 'Account ' || printf('%02d', i) END,
    CASE WHEN i % 8 = 0 THEN NULL ELSE CASE i % 3 WHEN 0 THEN 'Retail' WHEN 1 THEN 'Health' ELSE 'Media' END END,
    CASE i % 5 WHEN 0 THEN 'Germany' WHEN 1 THEN 'France' WHEN 2 THEN 'Poland' WHEN 3 THEN 'Germany' ELSE 'Spain' END,
    date('2021-01-15', '+' || (i * 33) || ' days'), CASE WHEN i % 6 = 0 THEN NULL ELSE 10 + (i * 97) % 500 END
FROM n;

CREATE TABLE plans (id INTEGER PRIMARY KEY, name TEXT NOT NULL, monthly_price REAL NOT NULL, tier TEXT NOT NULL);
INSERT INTO plans VALUES (1, 'Starter', 19.0, 'basic'), (2, 'Team', 79.0, 'basic'), (3, 'Business', 249.0, 'pro'),
    (4, 'Enterprise', 990.0, 'pro');

CREATE TABLE subscriptions (id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL, plan_id INTEGER NOT NULL,
    started_on TEXT NOT NULL, cancelled_on TEXT, seats INTEGER NOT NULL, status TEXT NOT NULL);
INSERT INTO subscriptions
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
SELECT i, 1 + (i * 7) % 33, 1 + (i * i) % 4, date('2022-01-01', '+' || (i * 17) || ' days'),
    CASE WHEN i % 5 = 0 THEN date('2022-01-01', '+' || (i * 17 + 200) || ' days') END, 1 + (i * 3) % 40,
    CASE WHEN i % 5 = 0 THEN 'cancelled' WHEN i % 11 = 0 THEN 'trial' ELSE 'active' END
FROM n;

CREATE TABLE invoices (id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL, issued_on TEXT NOT NULL, due_on TEXT NOT NULL,
    status TEXT NOT NULL, total REAL NOT NULL);
CREATE TABLE invoice_items (id INTEGER PRIMARY KEY, invoice_id INTEGER NOT NULL, plan_id INTEGER, description TEXT NOT NULL,
    quantity INTEGER NOT NULL, unit_price REAL NOT NULL);
INSERT INTO invoice_items
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 520)
SELECT i, 1 + (i - 1) / 2 - (i - 1) / 2 % 3, CASE WHEN i % 10 = 0 THEN NULL ELSE 1 + (i * 3) % 4 END,
    CASE WHEN i % 10 = 0 THEN 'Set-up "fee"' ELSE 'Licence' END, 1 + i % 6, CASE WHEN i % 10 = 0 THEN 150.0 ELSE
    CASE (i * 3) % 4 WHEN 0 THEN 19.0 WHEN 1 THEN 79.0 WHEN 2 THEN 249.0 ELSE 990.0 END END
FROM n;
INSERT INTO invoices
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 262)
SELECT i, 1 + (i * 5) % 31, date('2022-01-31', '+' || (i * 5) || ' days'), date('2022-01-31', '+' || (i * 5 + 30) || ' days'),
    CASE WHEN i % 9 = 0 THEN 'overdue' WHEN i % 23 = 0 THEN 'void' ELSE 'paid' END,
    ROUND(1.2 * COALESCE((SELECT SUM(quantity * unit_price) FROM invoice_items WHERE invoice_id = n.i), 0), 2)
FROM n;

CREATE TABLE payments (id INTEGER PRIMARY KEY, invoice_id INTEGER NOT NULL, paid_at TEXT NOT NULL, amount REAL NOT NULL,
    method TEXT);
INSERT INTO payments
SELECT id, id, date(issued_on, '+' || (3 + id % 20) || ' days'), CASE WHEN id % 12 = 0 THEN total / 2 ELSE total END,
    CASE WHEN id % 14 = 0 THEN NULL WHEN id % 2 = 0 THEN 'card' ELSE 'transfer' END
FROM invoices WHERE status = 'paid' AND total > 0;
INSERT INTO payments
SELECT 1000 + id, id, date(issued_on, '+40 days'), total / 2, 'card' FROM invoices
WHERE status = 'paid' AND id % 12 = 0 AND total > 0;

CREATE TABLE tickets (id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL, opened_at TEXT NOT NULL, closed_at TEXT,
    priority TEXT NOT NULL, satisfaction INTEGER);
INSERT INTO tickets
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 240)
SELECT i, 1 + (i * i + i) % 29, date('2022-03-01', '+' || (i * 5) || ' days'),
    CASE WHEN i % 6 = 0 THEN NULL ELSE date('2022-03-01', '+' || (i * 5 + i % 9) || ' days') END,
    CASE i % 4 WHEN 0 THEN 'high' WHEN 1 THEN 'low' ELSE 'normal' END, CASE WHEN i % 3 = 0 THEN NULL ELSE 1 + i % 5 END
FROM n;

CREATE TABLE tags (id INTEGER PRIMARY KEY, label TEXT NOT NULL);
INSERT INTO tags VALUES (1, 'vip'), (2, 'group'), (3, 'at risk'), (4, 'order');
CREATE TABLE account_tags (account_id INTEGER NOT NULL, tag_id INTEGER NOT NULL);
INSERT INTO account_tags
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 36)
SELECT i, 1 + i % 4 FROM n WHERE i % 5 <> 0 UNION SELECT i, 1 + (i + 1) % 4 FROM n WHERE i % 3 = 0;
