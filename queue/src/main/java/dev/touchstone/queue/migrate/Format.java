package dev.touchstone.queue.migrate;

/** Layouts of other libraries' queue files that can be read. */
public enum Format {
    /** Detected: a file is read as tape's, a folder as popout's, synced or batched as its first readable block says. */
    AUTO,

    /** A folder of popout's synced queue: one record in each block. */
    POPOUT_SYNCED,

    /** A folder of popout's batched queue: one batch of records in each block. */
    POPOUT_BATCHED,

    /** A file of tape, with the header of 32 bytes or the legacy header of 16. */
    TAPE
}
