// Makes an ID and shows it; with the argument `test`, tests Saiban.cs.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using Saiban;

internal static class Program
{
    // The node of the C# service, which no other service of the fleet may use.
    private const long Node = 9;

    private static int Main(string[] arguments)
    {
        if (arguments.Length == 1 && arguments[0] == "test") return Test();
        var store = Environment.GetEnvironmentVariable("SAIBAN_STORE");
        using (var ids = string.IsNullOrEmpty(store) ? Snowflake.OfNode(Node) : Snowflake.OfStore(store))
        {
            var json = "{\"id\":\"" + ids.ToText(ids.Generate()) + "\"}";
            Console.WriteLine("  an order as JSON: " + json);
            var parts = ids.Inspect(ids.FromText(json.Split('"')[3]));
            Console.WriteLine("  its ID is of {0:u}, node {1}", parts.Time, parts.Node);
            ids.Release();
        }
        return 0;
    }

    private static int Test()
    {
        int passed = 0, failed = 0;
        foreach (var test in new Action[] {
            AnIdAbove2To53IsTextAndAnIdAgain,
            ErrorsAreExceptions,
            EightThreadsMakeNoDuplicate,
            EachThreadGetsItsOwnError,
            AnArrayIsFilled,
            ALeaseIsReleased,
            ADisposedGeneratorThrows,
            TheGarbageCollectorFreesGenerators,
        })
        {
            try
            {
                test();
                passed++;
                Console.WriteLine("ok     " + test.Method.Name);
            }
            catch (Exception error)
            {
                failed++;
                Console.WriteLine("FAILED {0}: {1}", test.Method.Name, error);
            }
        }
        Console.WriteLine("{0} passed, {1} failed, 0 skipped", passed, failed);
        return failed == 0 ? 0 : 1;
    }

    private static void Check(bool holds, string what)
    {
        if (!holds) throw new InvalidOperationException(what);
    }

    private static void Throws(string name, Action action)
    {
        try
        {
            action();
        }
        catch (SaibanException error)
        {
            Check(error.Name == name && error.Message != "", error.Name + " (" + error.Message + "), not " + name);
            return;
        }
        Check(false, "no " + name);
    }

    private static void OnThreads(int count, Action<int> run)
    {
        var errors = new Exception[count];
        var threads = Enumerable.Range(0, count).Select(number => new Thread(() =>
        {
            try { run(number); } catch (Exception error) { errors[number] = error; }
        })).ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        Check(errors.All(error => error == null), string.Join("\n", errors.Where(error => error != null)));
    }

    private static void AnIdAbove2To53IsTextAndAnIdAgain()
    {
        using (var ids = Snowflake.OfNode(Node))
        {
            var id = ids.Generate() | 1;
            Check(id > 1L << 53 && (long)(double)id != id, "a double holds " + id);
            Check(ids.ToText(id) == id.ToString() && ids.FromText(id.ToString()) == id, ids.ToText(id));
            var parts = ids.Inspect(id);
            Check(parts.Node == Node && parts.Time.Year >= 2024, parts.Time + ", node " + parts.Node);
        }
    }

    private static void ErrorsAreExceptions()
    {
        Throws("NODE_OUT_OF_RANGE", () => Snowflake.OfNode(1024));
        Throws("INVALID_ARGUMENT", () => Snowflake.OfStore("nothing:here"));
        using (var ids = Snowflake.OfNode(Node))
        {
            Throws("TEXT_CHARACTER", () => ids.FromText("12x"));
            Throws("TEXT_CHARACTER", () => ids.FromText("1\0" + "2"));
            Throws("TEXT_CHARACTER", () => ids.FromText("採番"));
            Throws("TEXT_LENGTH", () => ids.FromText(""));
            Throws("TEXT_NOT_CANONICAL", () => ids.FromText("007"));
            Throws("TEXT_OVERFLOW", () => ids.FromText("9223372036854775808"));
            Throws("ID_OUT_OF_RANGE", () => ids.ToText(-1));
            Throws("ID_OUT_OF_RANGE", () => ids.Inspect(-1));
        }
    }

    private static void EightThreadsMakeNoDuplicate()
    {
        const int threads = 8, each = 20000;
        var made = new long[threads][];
        using (var ids = Snowflake.OfNode(Node))
        {
            OnThreads(threads, number =>
                made[number] = Enumerable.Range(0, each).Select(_ => ids.Generate()).ToArray());
        }
        var different = new HashSet<long>(made.SelectMany(some => some)).Count;
        Check(different == threads * each, different + " different IDs");
    }

    private static void EachThreadGetsItsOwnError()
    {
        using (var ids = Snowflake.OfNode(Node))
        {
            OnThreads(8, number =>
            {
                for (var attempt = 0; attempt < 200; attempt++)
                {
                    if (number % 2 == 0) Throws("NODE_OUT_OF_RANGE", () => Snowflake.OfNode(1024));
                    else Throws("TEXT_CHARACTER", () => ids.FromText("x"));
                }
            });
        }
    }

    private static void AnArrayIsFilled()
    {
        using (var ids = Snowflake.OfNode(Node))
        {
            var made = new long[1000];
            Check(ids.Fill(made) == made.Length, "fewer IDs");
            Check(made[0] > 0 && Enumerable.Range(1, 999).All(at => made[at] > made[at - 1]), "IDs do not ascend");
        }
    }

    private static void ALeaseIsReleased()
    {
        var folder = Directory.CreateDirectory(Path.Combine(Path.GetTempPath(), "saiban-" + Guid.NewGuid()));
        try
        {
            using (var ids = Snowflake.OfStore("sqlite:" + Path.Combine(folder.FullName, "ids.db")))
            {
                Check(ids.Generate() > 0, "no ID");
                ids.Release();
                Throws("LEASE_LOST", () => ids.Generate());
            }
        }
        finally
        {
            folder.Delete(true);
        }
        using (var ids = Snowflake.OfNode(Node)) ids.Release();
    }

    private static void ADisposedGeneratorThrows()
    {
        var ids = Snowflake.OfNode(Node);
        ids.Dispose();
        ids.Dispose();
        try
        {
            ids.Generate();
        }
        catch (ObjectDisposedException)
        {
            return;
        }
        Check(false, "no ObjectDisposedException");
    }

    private static void TheGarbageCollectorFreesGenerators()
    {
        for (var count = 0; count < 200; count++)
        {
            Check(Snowflake.OfNode(Node).Generate() > 0, "no ID");
            if (count % 20 == 0) GC.Collect();
        }
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }
}
