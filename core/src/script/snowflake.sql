-- IDs of the layout @LAYOUT@ for node @NODE@, exact in all their bits. Made by saiban.
--
-- CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT @NAME@(), ...). No other database, schema or copy of this one, and no generator elsewhere,
-- may have the node. To be run once; run again, for another node too, it changes nothing that was handed out. It makes all in the schema that is
-- the first of the search_path, and the function is of that wherever it is called. PostgreSQL 12 and later.
--
-- The sequence @NAME@_position holds the last position, tick * 2^@SEQUENCE_BITS@ + sequence. A sequence is not rolled back, and what one session sets all others see
-- at once; the lock is held for that only, not until a transaction ends. No ID comes twice@ORDER@,
-- wherever the clock goes: where a tick is used up, or the clock is behind, it waits, for @MAX_WAIT_S@ seconds at most, and fails where that is not enough.
-- So it fails at first where ticks are longer, until the next begins: what an earlier sequence has done in this one nobody knows.
--
-- A server that has lost (an asynchronous failover, a backup that was restored) and whose clock is behind as well makes IDs again.
--
-- The function has the rights of who makes it, so that other roles need none on the sequence; who may call it: REVOKE and GRANT EXECUTE.
DO $script$
DECLARE
    layout CONSTANT text := '@LAYOUT@';
    counted text;
    noted text;
    is_used boolean;
BEGIN
    IF current_schema() IS NULL THEN
        RAISE EXCEPTION 'no schema of the search_path is there, to make @NAME@ in: SET search_path';
    END IF;
    counted := format('%I.@NAME@_position', current_schema());
    EXECUTE format('CREATE SEQUENCE IF NOT EXISTS %s AS bigint MINVALUE 0 START 0', counted);
    EXECUTE format('SELECT is_called FROM %s', counted) INTO is_used;
    noted := obj_description(counted::regclass, 'pg_class');
    IF is_used AND noted IS DISTINCT FROM layout THEN
        RAISE EXCEPTION 'the sequence % counts for % and not for the layout %', counted,
            coalesce('the layout ' || noted, 'what nobody knows, as it has no comment,'), layout
            USING HINT = 'Give the function of this layout another name. The comment on the sequence is the layout that it counts for.';
    END IF;
    EXECUTE format('COMMENT ON SEQUENCE %s IS %L', counted, layout);

    -- The sequence is written into the function with its schema, as is the number of the lock: neither is another one for who has another
    -- search_path, a temporary sequence of that name, or a sequence that was dropped and made again meanwhile.
    EXECUTE format($create$CREATE OR REPLACE FUNCTION @NAME@() RETURNS bigint LANGUAGE plpgsql VOLATILE
        SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS %L$create$, format($body$
DECLARE
    unix_time timestamptz;
    since_us bigint;
    now_tick bigint;
    last_position bigint;
    new_position bigint;
    wait_us numeric;
    waited_us numeric := 0;
BEGIN
    LOOP
        -- What this block did is undone, so that the lock is let go of however it ends, also by a timeout: but not setval, which never is.
        BEGIN
            PERFORM pg_advisory_xact_lock(@LOCK@, %3$s);
            SELECT CASE WHEN is_called THEN last_value ELSE -1 END INTO last_position FROM %1$s;
            -- Only now: to read the sequence can take as long as somebody makes it again. Whole numbers, as extract was a double until version 13.
            unix_time := clock_timestamp();
            since_us := extract(epoch FROM date_trunc('second', unix_time))::bigint * 1000000
                + extract(microseconds FROM unix_time)::bigint %% 1000000 - @EPOCH_US@;
            now_tick := since_us / @TICK_US@;
            IF since_us < 0 OR now_tick > @LAST_TICK@ THEN
                RAISE EXCEPTION 'the time is not one that the layout of @NAME@ can hold' USING ERRCODE = 'datetime_field_overflow';
            END IF;
            IF last_position < 0 THEN
                -- What a sequence that was lost has done in this tick nobody knows.
                last_position := (now_tick << @SEQUENCE_BITS@) | @MAX_SEQUENCE@;
                PERFORM setval(%2$L, last_position);
            END IF;
            new_position := greatest(last_position + 1, now_tick << @SEQUENCE_BITS@);
            IF (new_position >> @SEQUENCE_BITS@) > @LAST_TICK@ THEN
                RAISE EXCEPTION 'the position of @NAME@ is past the last that the layout can hold' USING ERRCODE = 'datetime_field_overflow';
            END IF;
            -- A new tick is begun when the clock has reached it.
            IF (new_position & @MAX_SEQUENCE@) <> 0 OR (new_position >> @SEQUENCE_BITS@) <= now_tick THEN
                PERFORM setval(%2$L, new_position);
                wait_us := 0;
            ELSE
                wait_us := (new_position >> @SEQUENCE_BITS@)::numeric * @TICK_US@ - since_us;
            END IF;
            RAISE SQLSTATE 'SAI01';
        EXCEPTION WHEN SQLSTATE 'SAI01' THEN
            NULL;
        END;
        EXIT WHEN wait_us = 0;
        -- By what it slept, and no clock: that may be set back meanwhile.
        IF waited_us + wait_us > @MAX_WAIT_S@ * 1000000 THEN
            IF (last_position >> @SEQUENCE_BITS@) > now_tick THEN
                RAISE EXCEPTION '@NAME@ has no ID within @MAX_WAIT_S@ s: the clock is behind the last one, whose tick is over in %% us', wait_us
                    USING HINT = 'See why the clock was set back, and try again when it has come so far.', ERRCODE = 'object_not_in_prerequisite_state';
            END IF;
            RAISE EXCEPTION '@NAME@ has no ID within @MAX_WAIT_S@ s: those of this tick are used up, and the next begins in %% us', wait_us
                USING HINT = 'Try again then. A tick is @TICK_US@ us long: a layout with shorter ones, or with a longer sequence, has more IDs a second.',
                    ERRCODE = 'object_not_in_prerequisite_state';
        END IF;
        PERFORM pg_sleep(least(wait_us, 1000000) / 1000000);
        waited_us := waited_us + least(wait_us, 1000000);
    END LOOP;
    -- PostgreSQL reads << and | from the left to the right, so all is in parentheses.
    RETURN ((new_position >> @SEQUENCE_BITS@) << @TIMESTAMP_SHIFT@) | ((new_position & @MAX_SEQUENCE@) << @SEQUENCE_SHIFT@) | (@FIXED@);
END
$body$, counted, counted, hashtext(counted)));
    EXECUTE format('COMMENT ON FUNCTION @NAME@() IS %L', format('IDs of the layout %s for node @NODE@', layout));
END
$script$;
