-- IDs of the layout @LAYOUT@ for node @NODE@, exact in all their bits. Made by saiban.
--
-- CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT @NAME@(), ...). No other database, and no generator elsewhere, may have the node. To be run
-- once; run again it changes nothing that was handed out.
--
-- The sequence @NAME@_position holds the last position, tick * 2^@SEQUENCE_BITS@ + sequence. A sequence is not rolled back, and what one session sets all others see
-- at once; the lock is held for that only, not until a transaction ends. No ID comes twice, and none is smaller than one that was made before,
-- wherever the clock goes: where a tick is used up, or the clock is behind, it waits, for @MAX_WAIT_S@ seconds at most.
CREATE SEQUENCE IF NOT EXISTS @NAME@_position AS bigint MINVALUE 0 START 0;

CREATE OR REPLACE FUNCTION @NAME@() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $saiban$
DECLARE
    -- The oid of the sequence: it is nobody else's, so the lock is not either.
    held CONSTANT integer := CAST(CAST('@NAME@_position' AS regclass) AS oid)::bigint::bit(32)::integer;
    deadline CONSTANT timestamptz := clock_timestamp() + interval '@MAX_WAIT_S@ seconds';
    now_tick bigint;
    last_position bigint;
    new_position bigint;
    wait_us bigint;
BEGIN
    LOOP
        PERFORM pg_advisory_lock(@LOCK@, held);
        BEGIN
            now_tick := floor((extract(epoch FROM clock_timestamp())::numeric * 1000000 - @EPOCH_US@) / @TICK_US@);
            SELECT CASE WHEN is_called THEN last_value ELSE -1 END INTO last_position FROM @NAME@_position;
            IF last_position < 0 THEN
                -- What a sequence that was lost has done in this tick nobody knows.
                last_position := (greatest(now_tick, 0) << @SEQUENCE_BITS@) | @MAX_SEQUENCE@;
                PERFORM setval('@NAME@_position', last_position);
            END IF;
            new_position := greatest(last_position + 1, now_tick << @SEQUENCE_BITS@);
            IF now_tick < 0 OR now_tick > @LAST_TICK@ OR (new_position >> @SEQUENCE_BITS@) > @LAST_TICK@ THEN
                RAISE EXCEPTION 'the time is not one that the layout of @NAME@ can hold' USING ERRCODE = 'datetime_field_overflow';
            END IF;
            -- A new tick is begun when the clock has reached it.
            IF (new_position & @MAX_SEQUENCE@) <> 0 OR (new_position >> @SEQUENCE_BITS@) <= now_tick THEN
                PERFORM setval('@NAME@_position', new_position);
                wait_us := 0;
            ELSE
                wait_us := ((new_position >> @SEQUENCE_BITS@) - now_tick) * @TICK_US@;
            END IF;
        EXCEPTION WHEN query_canceled OR OTHERS THEN
            PERFORM pg_advisory_unlock(@LOCK@, held);
            RAISE;
        END;
        PERFORM pg_advisory_unlock(@LOCK@, held);
        EXIT WHEN wait_us = 0;
        IF clock_timestamp() + wait_us * interval '1 microsecond' > deadline + @TICK_US@ * interval '1 microsecond' THEN
            RAISE EXCEPTION '@NAME@ has no ID within @MAX_WAIT_S@ s: the clock is % us behind the last one', wait_us
                USING HINT = 'See why the clock was set back, and try again when it has come so far.', ERRCODE = 'object_not_in_prerequisite_state';
        END IF;
        PERFORM pg_sleep(least(wait_us, 1000000) / 1000000.0);
    END LOOP;
    -- PostgreSQL reads << and | from the left to the right, so all is in parentheses.
    RETURN ((new_position >> @SEQUENCE_BITS@) << @TIMESTAMP_SHIFT@) | ((new_position & @MAX_SEQUENCE@) << @SEQUENCE_SHIFT@) | (@FIXED@);
END
$saiban$;

COMMENT ON FUNCTION @NAME@() IS 'IDs of the layout @LAYOUT@ for node @NODE@';
