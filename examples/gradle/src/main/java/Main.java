import dev.saiban.SaibanException;
import dev.saiban.Saiban_uniffiKt;

/** Prints an ID in another encoding. */
public class Main {
    public static void main(String[] arguments) throws SaibanException {
        System.out.println(Saiban_uniffiKt.encode(2125041057055170560L, "base62", null));
    }
}
