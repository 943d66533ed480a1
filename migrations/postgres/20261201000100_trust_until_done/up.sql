-- Money lies in trust until its move is done or cancelled, and never afterwards: what was paid or owed later stood there too,
-- so that the account was below zero for a move that is done and not paid. It moves to the customer's account, dated as
-- the booking's last entry, or after the last closed month.
INSERT INTO ledger_entries (id, booking_id, at, kind, fact_key)
SELECT gen_random_uuid(),
    b.id, GREATEST(MAX(e.at), (SELECT MAX(until_at) FROM closed_months)), 'trust_transfer', 'trust_transfer:' || b.id || ':until_done'
FROM bookings b
JOIN ledger_entries e ON e.booking_id = b.id
WHERE b.status NOT IN ('pending', 'assigned')
    AND (
        SELECT SUM(l.amount_cents) FROM ledger_lines l JOIN ledger_entries t ON t.id = l.entry_id
        WHERE t.booking_id = b.id AND l.account = 'trust'
    ) <> 0
GROUP BY b.id;

INSERT INTO ledger_lines (entry_id, position, account, amount_cents)
SELECT moved.id, side.position, side.account, side.sign * (
        SELECT SUM(l.amount_cents) FROM ledger_lines l JOIN ledger_entries t ON t.id = l.entry_id
        WHERE t.booking_id = moved.booking_id AND l.account = 'trust'
    )
FROM ledger_entries moved
CROSS JOIN (
    SELECT 0 AS position, 'trust' AS account, -1 AS sign
    UNION ALL SELECT 1, 'customer', 1
) side
WHERE moved.fact_key = 'trust_transfer:' || moved.booking_id || ':until_done';
