package dev.touchstone.queue.migrate;

/** The layouts of other queues that can be read. */
public enum Format {
    /** Found out: a file is taken for tape's, a folder for popout's, synced or batched as its first readable block says. */
    AUTO,

    /** popout's synced queue, a folder: one record a block. */
    POPOUT_SYNCED,

    /** popout's batched queue, a folder: one batch of records a block. */
    POPOUT_BATCHED,

    /** tape's queue file, with the header of 32 bytes or with the legacy one of 16. */
    TAPE
}
