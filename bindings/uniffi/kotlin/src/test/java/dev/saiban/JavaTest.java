package dev.saiban;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a Java program writes: the same classes, without Kotlin's named and optional arguments. */
class JavaTest {
    @Test
    void aGeneratorIsClosedAtTheEndOfItsBlock() throws SaibanException {
        SnowflakeGenerator closed;
        try (SnowflakeGenerator ids = new SnowflakeGenerator(7L)) {
            long id = ids.generate();
            assertEquals(7L, ids.inspect(id).getNode());
            assertTrue(ids.generate() > id);
            assertEquals(1_000, ids.generateMany(1_000).length);
            assertEquals(id, ids.fromText(ids.toText(id, null), false));
            closed = ids;
        }
        assertThrows(IllegalStateException.class, closed::generate);
    }

    @Test
    void idsHaveTheTypesOfJava() throws SaibanException {
        UUID uuid = new UuidGenerator(7L).generate();
        assertEquals(7, uuid.version());
        String ulid = new UlidGenerator().generate();
        assertEquals(26, ulid.length());
        byte[] wide = new WideFlakeGenerator(Layout.fromText("timestamp:48 random:80")).generate();
        assertEquals(16, wide.length);
    }

    @Test
    void functionsWithoutAClassAreThoseOfSaiban() throws SaibanException {
        assertEquals("2Wyi3Ucx9Hs", Saiban.encode(2125041057055170560L, "base62"));
        assertEquals(2125041057055170560L, Saiban.decode("2Wyi3Ucx9Hs", "base62"));
        assertEquals("ulid", Saiban.inspect("01ARZ3NDEKTSV4RRFFQ69G5FAV").get(0).getScheme());
        UlidFlakeGenerator ids = new UlidFlakeGenerator();
        long[] buffer = new long[100];
        assertEquals(100, Saiban.fill(ids, buffer));
        Instant time = Saiban.getTime(ids.inspect(buffer[99]));
        assertTrue(time.isAfter(Instant.parse("2026-01-01T00:00:00Z")));
    }

    @Test
    void aLeaseIsReleasedAtTheEndOfItsBlock() throws SaibanException {
        Lease released;
        try (Lease lease = Lease.acquire("memory:java", "orders", 4L)) {
            assertEquals("active", lease.status().getState());
            released = lease;
        }
        assertEquals("idle", released.status().getState());
    }

    @Test
    void errorsAreCheckedExceptions() {
        SaibanException error = assertThrows(SaibanException.NodeOutOfRange.class, () -> new SnowflakeGenerator(1024L));
        assertEquals("NODE_OUT_OF_RANGE", Saiban.getKind(error));
        try {
            Saiban.decode("2Wyi-Ucx9Hs", "base62");
        } catch (SaibanException.TextCharacter refused) {
            assertEquals(4, Saiban.getPosition(refused));
            return;
        } catch (SaibanException other) {
            throw new AssertionError(other);
        }
        throw new AssertionError("it was read");
    }

    @Test
    void bytesFillABuffer() throws SaibanException {
        UlidGenerator ids = new UlidGenerator();
        byte[] buffer = new byte[32];
        assertEquals(2, Saiban.fill(ids, buffer));
        byte[] first = java.util.Arrays.copyOf(buffer, 16);
        assertArrayEquals(first, ids.toBytes(ids.fromBytes(first)));
    }
}
