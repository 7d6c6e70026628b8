package dev.touchstone.messaging.etf;

/**
 * The first bytes of all encoded terms, and of the version before one. All numbers are big-endian.
 *
 * <pre>
 *   70 NEW_FLOAT          double:8                             99 FLOAT            text:31
 *   77 BIT_BINARY         length:4 bits:1 bytes                80 COMPRESSED       inflated:4 zlib (after VERSION only)
 *   82 ATOM_CACHE_REF     index:1
 *   88 NEW_PID            node id:4 serial:4 creation:4       103 PID              node id:4 serial:4 creation:1
 *   89 NEW_PORT           node id:4 creation:4                102 PORT             node id:4 creation:1
 *  120 V4_PORT            node id:8 creation:4
 *   90 NEWER_REFERENCE    count:2 node creation:4 ids:4*count 114 NEW_REFERENCE    count:2 node creation:1 ids:4*count
 *  101 REFERENCE          node id:4 creation:1
 *   97 SMALL_INTEGER      unsigned:1                           98 INTEGER          signed:4
 *  110 SMALL_BIG          length:1 sign:1 bytes               111 LARGE_BIG        length:4 sign:1 bytes     (lowest byte first)
 *  119 SMALL_ATOM_UTF8    length:1 bytes                      118 ATOM_UTF8        length:2 bytes
 *  115 SMALL_ATOM         length:1 latin1                     100 ATOM             length:2 latin1
 *  104 SMALL_TUPLE        arity:1 terms                       105 LARGE_TUPLE      arity:4 terms
 *  106 NIL                                                    108 LIST             length:4 terms tail
 *  107 STRING             length:2 bytes                      109 BINARY           length:4 bytes
 *  116 MAP                arity:4 (key value)*arity
 *  112 NEW_FUN            size:4 arity:1 uniq:16 index:4 free:4 module oldIndex oldUniq pid terms*free
 *  113 EXPORT             module function arity
 * </pre>
 *
 * @see <a href="https://www.erlang.org/doc/apps/erts/erl_ext_dist.html">External Term Format</a>
 */
public final class Tag {
    /** The byte before a term that is stored or sent by itself; no term's tag. */
    public static final int VERSION = 131;

    /** A float of 8 bytes. */
    public static final int NEW_FLOAT = 70;
    /** A bit string, or a binary. */
    public static final int BIT_BINARY = 77;
    /** A compressed term; stands after {@link #VERSION} only. */
    public static final int COMPRESSED = 80;
    /** An atom, by its index in the header of a distribution message. */
    public static final int ATOM_CACHE_REF = 82;
    /** A pid with a creation of 32 bits. */
    public static final int NEW_PID = 88;
    /** A port with an id of 28 bits and a creation of 32. */
    public static final int NEW_PORT = 89;
    /** A reference with a creation of 32 bits. */
    public static final int NEWER_REFERENCE = 90;
    /** An integer from 0 to 255. */
    public static final int SMALL_INTEGER = 97;
    /** An integer of 32 bits, signed. */
    public static final int INTEGER = 98;
    /** A float as text; read, never written. */
    public static final int FLOAT = 99;
    /** An atom in Latin-1 with a length of 16 bits; read, never written. */
    public static final int ATOM = 100;
    /** A reference with one number; read, never written. */
    public static final int REFERENCE = 101;
    /** A port with a creation of 8 bits; read, never written. */
    public static final int PORT = 102;
    /** A pid with a creation of 8 bits; read, never written. */
    public static final int PID = 103;
    /** A tuple of at most 255 elements. */
    public static final int SMALL_TUPLE = 104;
    /** A tuple with a size of 32 bits. */
    public static final int LARGE_TUPLE = 105;
    /** The empty list. */
    public static final int NIL = 106;
    /** A list of at most 65,535 integers from 0 to 255. */
    public static final int STRING = 107;
    /** A list of any elements, with a tail. */
    public static final int LIST = 108;
    /** A binary. */
    public static final int BINARY = 109;
    /** An integer of at most 255 bytes. */
    public static final int SMALL_BIG = 110;
    /** An integer with a length of 32 bits. */
    public static final int LARGE_BIG = 111;
    /** A fun with its free variables. */
    public static final int NEW_FUN = 112;
    /** A fun that names an exported function. */
    public static final int EXPORT = 113;
    /** A reference with a creation of 8 bits; read, never written. */
    public static final int NEW_REFERENCE = 114;
    /** An atom in Latin-1 with a length of 8 bits; read, never written. */
    public static final int SMALL_ATOM = 115;
    /** A map. */
    public static final int MAP = 116;
    /** An atom in UTF-8 with a length of 16 bits. */
    public static final int ATOM_UTF8 = 118;
    /** An atom in UTF-8 with a length of 8 bits. */
    public static final int SMALL_ATOM_UTF8 = 119;
    /** A port with an id of 64 bits and a creation of 32. */
    public static final int V4_PORT = 120;

    /** Length of the text in FLOAT, in bytes. */
    static final int FLOAT_BYTES = 31;

    /** Most elements of a STRING. */
    static final int MAX_STRING = 65_535;

    private static final int COMPOUND = 1
            | (1 << (LARGE_TUPLE - SMALL_TUPLE))
            | (1 << (LIST - SMALL_TUPLE))
            | (1 << (NEW_FUN - SMALL_TUPLE))
            | (1 << (MAP - SMALL_TUPLE));

    private Tag() {}

    /** Returns whether terms follow that may be compound themselves. */
    static boolean isCompound(int tag) {
        int bit = tag - SMALL_TUPLE;
        return bit >= 0 && bit <= MAP - SMALL_TUPLE && ((COMPOUND >> bit) & 1) != 0;
    }

    static boolean isAtom(int tag) {
        return tag == SMALL_ATOM_UTF8 || tag == ATOM_UTF8 || tag == SMALL_ATOM || tag == ATOM || tag == ATOM_CACHE_REF;
    }
}
