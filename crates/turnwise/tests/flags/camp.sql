-- A campsite with yes/no columns of every kind: words, letters, 0 and 1, truths; with and without missing values.
-- Read by tests/flags/main.rs, which computes every expected number from it by SQL of its own.
CREATE TABLE pitches(pitch_id INTEGER PRIMARY KEY, pitch_name TEXT, area TEXT, is_shaded TEXT, has_power INT, area_sqm REAL);
CREATE TABLE campers(camper_id INTEGER PRIMARY KEY, full_name TEXT, country TEXT, birthYear INT, isVip INT, newsletter TEXT,
  registered TEXT, left_on TEXT);
CREATE TABLE bookings(booking_id INTEGER PRIMARY KEY, camper_id INT REFERENCES campers(camper_id),
  pitch_id INT REFERENCES pitches(pitch_id), arrival_date DATE, nights INT, price REAL, confirmed BOOLEAN, wasRefunded TEXT,
  storniert TEXT, channel TEXT);
CREATE TABLE complaints(complaint_id INTEGER PRIMARY KEY, booking_id INT REFERENCES bookings(booking_id), filed_on DATE,
  topic TEXT, is_resolved TEXT, urgent INT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
INSERT INTO pitches SELECT i, 'Pitch ' || i, CASE i % 4 WHEN 0 THEN 'Lakeside' WHEN 1 THEN 'Forest' WHEN 2 THEN 'Meadow' ELSE 'Hill' END,
  CASE WHEN i % 3 = 0 THEN 'yes' ELSE 'no' END, CASE WHEN i % 5 < 2 THEN 1 ELSE 0 END, 40 + (i * 7) % 60 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150)
INSERT INTO campers SELECT i, 'Camper ' || i, CASE i % 5 WHEN 0 THEN 'Norway' WHEN 1 THEN 'Poland' WHEN 2 THEN 'Italy' WHEN 3 THEN 'Spain' ELSE 'Ireland' END,
  1950 + (i * 7) % 55, CASE WHEN i % 6 = 1 THEN 1 ELSE 0 END, CASE WHEN i % 9 = 0 THEN NULL WHEN i % 4 = 0 THEN 'J' ELSE 'N' END,
  date('2022-01-05', '+' || (i * 9) || ' days'), CASE WHEN i % 7 = 0 THEN date('2024-06-01', '+' || (i * 3) || ' days') END FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
INSERT INTO bookings SELECT i, CASE WHEN i % 37 = 0 THEN NULL ELSE 1 + (i * 13) % 140 END, 1 + (i * 11) % 40,
  date('2023-03-01', '+' || ((i * 17) % 900) || ' days'), 1 + (i * 5) % 14, 20.5 + (i * 31) % 400, CASE WHEN i % 8 = 3 THEN 0 ELSE 1 END,
  CASE WHEN i % 11 = 0 THEN NULL WHEN i % 10 = 4 THEN 'Y' ELSE 'N' END, CASE WHEN i % 12 = 5 THEN 'ja' ELSE 'nein' END,
  CASE i % 3 WHEN 0 THEN 'web' WHEN 1 THEN 'phone' ELSE 'desk' END FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)
INSERT INTO complaints SELECT i, 1 + (i * 19) % 600, date('2023-05-02', '+' || ((i * 23) % 800) || ' days'),
  CASE i % 4 WHEN 0 THEN 'noise' WHEN 1 THEN 'dirt' WHEN 2 THEN 'staff' ELSE 'price' END,
  CASE WHEN i % 5 = 2 THEN 'false' ELSE 'true' END, CASE WHEN i % 7 = 0 THEN 1 ELSE 0 END FROM n;
