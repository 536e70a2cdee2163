-- A group practice: ids by other names, abbreviations, a link table for what was prescribed, fees in euros, visits by
-- physicians of whom one has none, patients who never came, and drugs nobody prescribed.

CREATE TABLE physician (phys_code TEXT PRIMARY KEY, surname TEXT NOT NULL, specialty TEXT NOT NULL, hired DATE);
INSERT INTO physician VALUES ('P01', 'Berg', 'cardiology', '2012-04-01'), ('P02', 'Keller', 'dermatology', '2015-09-01'),
    ('P03', 'Winter', 'cardiology', '2019-01-15'), ('P04', 'Falk', 'pediatrics', '2020-06-01'), ('P05', 'Stern', 'surgery', '2024-02-01');

CREATE TABLE patient (pat_nr INTEGER PRIMARY KEY, patient_name TEXT NOT NULL, sex TEXT NOT NULL, birth_date DATE NOT NULL, city TEXT NOT NULL, insurer TEXT);
INSERT INTO patient
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 45)
SELECT 7000 + i, substr('AnnaBertCaraDirkElsaFinn', 1 + 4 * (i % 6), 4) || ' ' || substr('HolzBachFeldWald', 1 + 4 * ((i / 6) % 4), 4) || i,
    CASE WHEN i % 2 = 0 THEN 'female' ELSE 'male' END, (1935 + (i * 17) % 80) || '-0' || (1 + i % 9) || '-1' || (i % 10),
    CASE i % 3 WHEN 0 THEN 'Kiel' WHEN 1 THEN 'Bremen' ELSE 'Hamburg' END,
    CASE WHEN i % 6 = 0 THEN NULL WHEN i % 2 = 0 THEN 'AOK' ELSE 'Barmer' END
FROM n;

CREATE TABLE visit (visit_nr INTEGER PRIMARY KEY, pat_nr INTEGER NOT NULL REFERENCES patient (pat_nr), phys_code TEXT NOT NULL REFERENCES physician (phys_code),
    visited_at TEXT NOT NULL, fee_amount REAL, duration_min INTEGER, diagnosis TEXT);
INSERT INTO visit
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 230)
SELECT i, 7001 + (i * 19 + (i * i) % 7) % 41, CASE WHEN (i * 3) % 10 < 4 THEN 'P01' WHEN (i * 3) % 10 < 7 THEN 'P02' WHEN (i * 3) % 10 < 9 THEN 'P03' ELSE 'P04' END,
    strftime('%Y-%m-%d %H:%M', '2022-01-03 08:00', '+' || (i * 4 + (i * i) % 3) || ' days', '+' || ((i * 5) % 9) || ' hours'),
    CASE WHEN i % 12 = 0 THEN 0 WHEN i % 31 = 0 THEN NULL ELSE 30 + (i * 23) % 170 END, 10 + (i * 7) % 50,
    CASE i % 6 WHEN 0 THEN 'asthma' WHEN 1 THEN 'eczema' WHEN 2 THEN 'hypertension' WHEN 3 THEN 'flu' WHEN 4 THEN 'migraine' ELSE NULL END
FROM n;

CREATE TABLE drug (drug_id INTEGER PRIMARY KEY, drug_name TEXT NOT NULL, form TEXT NOT NULL, price_eur REAL NOT NULL);
INSERT INTO drug VALUES (1, 'Amoxin', 'tablet', 12.5), (2, 'Betanol', 'tablet', 30.2), (3, 'Cortisal', 'cream', 18.9), (4, 'Dexalin', 'syrup', 9.9),
    (5, 'Ebrofen', 'tablet', 4.5), (6, 'Fluxar', 'injection', 55.0), (7, 'Gelomin', 'cream', 7.7);

CREATE TABLE prescription (visit_nr INTEGER NOT NULL REFERENCES visit (visit_nr), drug_id INTEGER NOT NULL REFERENCES drug (drug_id), packs INTEGER NOT NULL,
    PRIMARY KEY (visit_nr, drug_id));
INSERT INTO prescription
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 230)
SELECT i, 1 + (i * i + i / 3) % 6, 1 + (i * 5) % 3 FROM n WHERE i % 3 <> 1
UNION SELECT i, 1 + (i * i + i / 3 + 2) % 6, 1 + i % 2 FROM n WHERE i % 5 = 0;
