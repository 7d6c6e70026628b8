package com.ericsson.otp.erlang;

/** The tags and limits of the external term format. */
public class OtpExternal {
    /** Tag of an integer of one byte. */
    public static final int smallIntTag = 97;

    /** Tag of an integer of four bytes. */
    public static final int intTag = 98;

    /** Tag of a float that is written as text. */
    public static final int floatTag = 99;

    /** Tag of a float. */
    public static final int newFloatTag = 70;

    /** Tag of an atom in ISO 8859-1. */
    public static final int atomTag = 100;

    /** Tag of a reference of one number. */
    public static final int refTag = 101;

    /** Tag of a port with a creation of one byte. */
    public static final int portTag = 102;

    /** Tag of a port with a number of four bytes. */
    public static final int newPortTag = 89;

    /** Tag of a port with a number of eight bytes. */
    public static final int v4PortTag = 120;

    /** Tag of a pid with a creation of one byte. */
    public static final int pidTag = 103;

    /** Tag of a pid. */
    public static final int newPidTag = 88;

    /** Tag of a tuple of at most 255 elements. */
    public static final int smallTupleTag = 104;

    /** Tag of a larger tuple. */
    public static final int largeTupleTag = 105;

    /** Tag of the empty list. */
    public static final int nilTag = 106;

    /** Tag of a list of bytes. */
    public static final int stringTag = 107;

    /** Tag of a list. */
    public static final int listTag = 108;

    /** Tag of a binary. */
    public static final int binTag = 109;

    /** Tag of a bit string. */
    public static final int bitBinTag = 77;

    /** Tag of an integer of at most 255 bytes. */
    public static final int smallBigTag = 110;

    /** Tag of a larger integer. */
    public static final int largeBigTag = 111;

    /** Tag of a function. */
    public static final int newFunTag = 112;

    /** Tag of an exported function. */
    public static final int externalFunTag = 113;

    /** Tag of a reference with a creation of one byte. */
    public static final int newRefTag = 114;

    /** Tag of a reference. */
    public static final int newerRefTag = 90;

    /** Tag of a map. */
    public static final int mapTag = 116;

    /** Tag of a function in the form before R9. */
    public static final int funTag = 117;

    /** Tag of an atom of more than 255 bytes. */
    public static final int atomUtf8Tag = 118;

    /** Tag of an atom of at most 255 bytes. */
    public static final int smallAtomUtf8Tag = 119;

    /** Tag of a compressed term. */
    public static final int compressedTag = 80;

    /** Version that stands before a term. */
    public static final int versionTag = 131;

    /** Greatest integer that is written in four bytes. */
    public static final int erlMax = (1 << 27) - 1;

    /** Least integer that is written in four bytes. */
    public static final int erlMin = -(1 << 27);

    /** Characters that an atom has at most. */
    public static final int maxAtomLength = 255;

    private OtpExternal() {}
}
