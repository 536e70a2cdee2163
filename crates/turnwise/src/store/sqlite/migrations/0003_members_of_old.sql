-- Format 3: who takes part in conversations that had no turn since format 2, read from their logs, so that lists show
-- them at once. Whoever spoke or was let in takes part.

UPDATE conversations SET members = (
    SELECT json_group_array(person) FROM (
        SELECT DISTINCT json_extract(body, '$.person') AS person FROM events
        WHERE events.conversation = conversations.number
          AND json_extract(body, '$.event') IN ('message_received', 'member_joined')
        ORDER BY person
    )
) WHERE members = '[]';
