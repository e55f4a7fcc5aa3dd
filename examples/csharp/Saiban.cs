// Snowflake IDs from saiban's C library: as much of it as this example needs, for .NET, the .NET
// Framework and Mono.

using System;
using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Saiban
{
    /// <summary>One of SAIBAN_ERROR_…: docs/errors.md has cause and remedy of each.</summary>
    public sealed class SaibanException : Exception
    {
        internal SaibanException(string name, string message) : base(message) { Name = name; }

        /// <summary>The name of the error, such as CLOCK_BACKWARD.</summary>
        public string Name { get; }
    }

    /// <summary>What an ID contains.</summary>
    public sealed class Parts
    {
        internal Parts(DateTimeOffset time, ulong node, ulong sequence)
        {
            Time = time;
            Node = node;
            Sequence = sequence;
        }

        public DateTimeOffset Time { get; }
        public ulong Node { get; }
        public ulong Sequence { get; }
    }

    /// <summary>Makes Snowflake IDs. Any number of threads may use it at once.</summary>
    public sealed class Snowflake : IDisposable
    {
        private readonly GeneratorHandle handle;

        private Snowflake(GeneratorHandle handle) { this.handle = handle; }

        /// <summary>Makes a generator with a node that no other machine has.</summary>
        public static Snowflake OfNode(long node)
        {
            var options = NewOptions();
            options.Node = node;
            return Open(ref options);
        }

        /// <summary>Makes a generator that leases its node from the store at this URL.</summary>
        public static Snowflake OfStore(string url)
        {
            var options = NewOptions();
            var bytes = GCHandle.Alloc(Encoding.UTF8.GetBytes(url + '\0'), GCHandleType.Pinned);
            try
            {
                options.Store = bytes.AddrOfPinnedObject();
                return Open(ref options);
            }
            finally
            {
                bytes.Free();
            }
        }

        /// <summary>Returns a new ID. By default it waits up to 2 ms for a tick, and up to 2 s if
        /// other threads use up the ticks.</summary>
        public long Generate()
        {
            Check(Native.saiban_generate(handle, out var id));
            return id;
        }

        /// <summary>Fills an array with IDs, and returns how many there are.</summary>
        public int Fill(long[] ids)
        {
            Check(Native.saiban_fill(handle, ids, (UIntPtr)ids.Length, out var written));
            return (int)written;
        }

        /// <summary>Returns the decimal text, for JSON: many readers round above 2^53.</summary>
        public string ToText(long id)
        {
            var buffer = new byte[Native.TextCapacity];
            Check(Native.saiban_to_text(handle, id, Native.Canonical, buffer, (UIntPtr)buffer.Length, out var length));
            return Encoding.UTF8.GetString(buffer, 0, (int)length);
        }

        /// <summary>Reads an ID from the text that ToText returns, and from no other.</summary>
        public long FromText(string text)
        {
            var bytes = Encoding.UTF8.GetBytes(text + '\0');
            Check(Native.saiban_from_text(handle, bytes, (UIntPtr)(bytes.Length - 1), Native.Strict, out var id));
            return id;
        }

        /// <summary>Returns the parts of an ID, which may be of another generator.</summary>
        public Parts Inspect(long id)
        {
            Check(Native.saiban_generator_inspect(handle, id, out var parts));
            return new Parts(DateTimeOffset.FromUnixTimeMilliseconds(parts.TimestampMs), parts.Node, parts.Sequence);
        }

        /// <summary>Releases the lease, if there is one, and waits for its store.</summary>
        public void Release()
        {
            Check(Native.saiban_generator_lease(handle, out var lease));
            using (lease)
            {
                if (!lease.IsInvalid) Check(Native.saiban_lease_release(lease));
            }
        }

        /// <summary>Frees the generator, when the calls of other threads have returned.</summary>
        public void Dispose() { handle.Dispose(); }

        private static Native.Options NewOptions()
        {
            var options = new Native.Options();
            // Fails unless a version of saiban_options has the size of the declaration below.
            Check(Native.saiban_options_init(ref options, (UIntPtr)Marshal.SizeOf(typeof(Native.Options))));
            return options;
        }

        private static Snowflake Open(ref Native.Options options)
        {
            Check(Native.saiban_snowflake_new(ref options, out var handle));
            return new Snowflake(handle);
        }

        private static void Check(int code)
        {
            if (code == Native.Ok) return;
            var buffer = new byte[Native.MessageCapacity];
            Native.saiban_last_error_message(buffer, (UIntPtr)buffer.Length, out var length);
            // A name is ASCII, and constant memory of the library.
            var name = Marshal.PtrToStringAnsi(Native.saiban_error_name(code));
            throw new SaibanException(name, Encoding.UTF8.GetString(buffer, 0, (int)length));
        }
    }

    // A handle frees its object once, after the calls that use it; at the latest in the finalizer.
    internal sealed class GeneratorHandle : SafeHandleZeroOrMinusOneIsInvalid
    {
        public GeneratorHandle() : base(true) { }

        protected override bool ReleaseHandle()
        {
            Native.saiban_generator_free(handle);
            return true;
        }
    }

    internal sealed class LeaseHandle : SafeHandleZeroOrMinusOneIsInvalid
    {
        public LeaseHandle() : base(true) { }

        protected override bool ReleaseHandle()
        {
            Native.saiban_lease_free(handle);
            return true;
        }
    }

    /// <summary>The declarations of saiban.h. size_t is UIntPtr, and bool is a byte.</summary>
    internal static class Native
    {
        // libsaiban.so on Linux.
        private const string Library = "saiban";

        internal const int Ok = 0, Canonical = 0, Strict = 0;
        internal const int MessageCapacity = 512, TextCapacity = 129;

        /// <summary>saiban_options</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct Options
        {
            public UIntPtr Size;
            public IntPtr Clock, Layout, Secret;
            public UIntPtr SecretLen;
            public long Node, NodesFirst, NodesEnd, WindowStart, WindowEnd, MaxWaitMs;
            public long Scalability, EntropySize, EpochMs, AllowCollisions, NotBefore;
            public IntPtr State;
            public long Rollback, Shards, MaxJumpS;
            public IntPtr Lease;
            public long Scope;
            public IntPtr Prefix, Store, NameSpace;
        }

        /// <summary>saiban_parts</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct IdParts
        {
            public long Id, TimestampMs;
            public ulong Node, Sequence, Random, Rollback, SecretIndex;
            public IntPtr Layout;
            public int Scheme;
            public uint SubmillisecondNs;
            public byte HasSubmillisecond, HasNode, HasSequence, HasRandom, HasRollback, HasSecretIndex;
            public ushort Reserved;
        }

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int saiban_options_init(ref Options options, UIntPtr size);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int saiban_snowflake_new(ref Options options, out GeneratorHandle generator);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int saiban_generate(GeneratorHandle generator, out long id);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int saiban_fill(
            GeneratorHandle generator, [Out] long[] ids, UIntPtr count, out UIntPtr written);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int saiban_to_text(
            GeneratorHandle generator,
            long id,
            int encoding,
            [Out] byte[] buffer,
            UIntPtr capacity,
            out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int saiban_from_text(
            GeneratorHandle generator, byte[] text, UIntPtr length, int leniency, out long id);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int saiban_generator_inspect(GeneratorHandle generator, long id, out IdParts parts);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int saiban_generator_lease(GeneratorHandle generator, out LeaseHandle lease);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int saiban_lease_release(LeaseHandle lease);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void saiban_lease_free(IntPtr lease);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void saiban_generator_free(IntPtr generator);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern IntPtr saiban_error_name(int error);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern int saiban_last_error_message([Out] byte[] buffer, UIntPtr capacity, out UIntPtr length);
    }
}
