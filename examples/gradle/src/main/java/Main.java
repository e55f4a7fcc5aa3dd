import dev.saiban.Saiban;
import dev.saiban.SaibanException;
import dev.saiban.SnowflakeGenerator;

/** Makes an ID, and prints one in another encoding. */
public class Main {
    public static void main(String[] arguments) throws SaibanException {
        try (SnowflakeGenerator ids = new SnowflakeGenerator(7L)) { // node 7, which no other machine has
            long id = ids.generate();
            System.out.println(ids.inspect(id).getNode());
        }
        System.out.println(Saiban.encode(2125041057055170560L, "base62"));
    }
}
