CREATE TABLE harbours (harbour_id INTEGER PRIMARY KEY, harbour_name TEXT NOT NULL, country TEXT);
INSERT INTO harbours VALUES (1, 'Kiel', 'Germany'), (2, 'Husum', 'Germany'), (3, 'Skagen', 'Denmark'), (4, 'Thisted', 'Denmark');
CREATE TABLE skippers (skipper_id INTEGER PRIMARY KEY, skipper_name TEXT NOT NULL, licence TEXT);
INSERT INTO skippers VALUES (1, 'Ada Berg', 'offshore'), (2, 'Bo Lund', 'inland'), (3, 'Cy Holm', 'offshore'), (4, 'Di Krog', NULL);
CREATE TABLE boats (boat_id INTEGER PRIMARY KEY, boat_name TEXT NOT NULL, kind TEXT, berths INTEGER,
  harbour_id INTEGER REFERENCES harbours (harbour_id), has_sauna TEXT);
INSERT INTO boats VALUES (1, 'Alk', 'yacht', 6, 1, 'Y'), (2, 'Bulk', 'barge', 12, 2, 'N'), (3, 'Carp', 'yacht', 4, 3, 'N'),
  (4, 'Dab', 'ketch', 8, 1, 'Y'), (5, 'Eel', 'ketch', 2, NULL, 'N');
CREATE TABLE charters (charter_id INTEGER PRIMARY KEY, boat_id INTEGER NOT NULL REFERENCES boats (boat_id),
  skipper_id INTEGER NOT NULL REFERENCES skippers (skipper_id), starts_on TEXT NOT NULL, due_on TEXT NOT NULL, back_on TEXT,
  fee REAL, state TEXT NOT NULL, why_called_off TEXT);
INSERT INTO charters VALUES
  (1, 1, 1, '2023-05-02', '2023-05-09', '2023-05-09', 900, 'done', NULL),
  (2, 1, 2, '2023-07-11', '2023-07-14', '2023-07-16', 450, 'done', NULL),
  (3, 2, 1, '2023-08-01', '2023-08-15', '2023-08-14', 2100, 'done', NULL),
  (4, 3, 3, '2024-05-20', '2024-05-22', '2024-05-25', 300, 'done', NULL),
  (5, 3, 1, '2024-06-03', '2024-06-10', NULL, 700, 'called off', 'storm'),
  (6, 4, 2, '2024-06-21', '2024-06-28', '2024-06-28', 1200, 'done', NULL),
  (7, 1, 3, '2024-07-05', '2024-07-12', '2024-07-13', 950, 'done', NULL),
  (8, 4, 1, '2024-09-01', '2024-09-04', NULL, 500, 'called off', 'illness'),
  (9, 2, 3, '2024-09-10', '2024-09-24', NULL, 2200, 'out', NULL);
