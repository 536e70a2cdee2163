-- An energy supplier: camelCase names, keys told by names alone, dates of customers, meters and readings, readings with an
-- hour, a table of outages that only the region ties to anything, and customers without a meter.

CREATE TABLE Regions (regionCode TEXT PRIMARY KEY, regionName TEXT NOT NULL, country TEXT NOT NULL);
INSERT INTO Regions VALUES ('RIG', 'Riga', 'Latvia'), ('KUR', 'Kurzeme', 'Latvia'), ('TAR', 'Tartu', 'Estonia'),
    ('TAL', 'Tallinn', 'Estonia'), ('VIL', 'Vilnius', 'Lithuania');

CREATE TABLE Customers (customerId INTEGER PRIMARY KEY, customerName TEXT NOT NULL, segment TEXT NOT NULL, regionCode TEXT NOT NULL,
    signedUpOn TEXT NOT NULL);
INSERT INTO Customers
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 36)
SELECT i, 'Kunde ' || substr('AEIOUY', 1 + i % 6, 1) || substr('bdfgklmnprst', 1 + (i * 5) % 12, 1) || i,
    CASE WHEN i % 3 = 0 THEN 'business' WHEN i % 7 = 0 THEN 'public' ELSE 'residential' END,
    CASE i % 5 WHEN 0 THEN 'RIG' WHEN 1 THEN 'KUR' WHEN 2 THEN 'TAR' WHEN 3 THEN 'TAL' ELSE 'VIL' END,
    (2020 + i % 4) || '-0' || (1 + i % 9) || '-1' || (i % 8)
FROM n;

CREATE TABLE Meters (meterId INTEGER PRIMARY KEY, customerId INTEGER NOT NULL, installedOn TEXT NOT NULL, meterKind TEXT NOT NULL,
    weightKg REAL NOT NULL, depositEur REAL);
INSERT INTO Meters
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 44)
SELECT 500 + i, 1 + (i * 7 + i / 9) % 31, (2021 + i % 3) || '-0' || (1 + (i * 4) % 9) || '-05',
    CASE WHEN i % 4 = 0 THEN 'smart' WHEN i % 4 = 1 THEN 'analog' ELSE 'digital' END, 1.5 + (i * 3) % 8 * 0.25,
    CASE WHEN i % 9 = 0 THEN NULL WHEN i % 3 = 0 THEN 0 ELSE 20 + (i * 13) % 60 END
FROM n;

CREATE TABLE Readings (readingId INTEGER PRIMARY KEY, meterId INTEGER NOT NULL, takenAt TEXT NOT NULL, kWh REAL NOT NULL, costEur REAL NOT NULL);
INSERT INTO Readings
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 640)
SELECT i, 501 + (i * 13 + i / 40) % 42,
    strftime('%Y-%m-%d %H:%M:%S', '2023-01-01 00:30:00', '+' || (i * 27 + (i * i) % 9) || ' hours'),
    round(20 + (i * 37) % 90 + (i % 4) * 12.5 + (i / 80) * 3, 1), round((20 + (i * 37) % 90) * 0.21 + (i % 5), 2)
FROM n;

CREATE TABLE Outages (outageId INTEGER PRIMARY KEY, regionCode TEXT NOT NULL, startedAt TEXT NOT NULL, durationMin INTEGER, customersAffected INTEGER NOT NULL,
    cause TEXT);
INSERT INTO Outages
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70)
SELECT i, CASE (i * i) % 5 WHEN 0 THEN 'RIG' WHEN 1 THEN 'KUR' WHEN 2 THEN 'TAR' WHEN 3 THEN 'TAL' ELSE 'VIL' END,
    strftime('%Y-%m-%d %H:%M:%S', '2023-01-10 03:00:00', '+' || (i * 211) || ' hours'),
    CASE WHEN i % 17 = 0 THEN NULL ELSE 10 + (i * 29) % 230 END, 5 + (i * 41) % 300,
    CASE i % 4 WHEN 0 THEN 'storm' WHEN 1 THEN 'cable' WHEN 2 THEN 'overload' ELSE NULL END
FROM n;
