-- Money that waits to be handed back is on the list of what needs staff. One index serves the whole list: its condition is
-- that of the query, word for word.
DROP INDEX payments_failed;
CREATE INDEX payments_need_staff ON payments (due_at)
    WHERE state IN ('soft_declined', 'hard_declined', 'failed')
        OR (kind = 'refund' AND state = 'scheduled' AND method <> 'card');

-- A refund says of itself that it takes a payment out of the books which never came.
UPDATE payments SET last_message = 'it never came'
WHERE kind = 'refund' AND method <> 'card'
    AND id IN (SELECT payment_id FROM ledger_entries WHERE kind = 'undone' AND payment_id IS NOT NULL);
