package dev.touchstone.index.server.api;

/** A handler whose answer may be long, and can be made in parts: only one part at a time is in memory. For one request. */
public interface PartHandler extends Handler {
    /**
     * Makes the first part of an answer. If the status is not 200, or this method returns false, the part is the whole answer.
     *
     * @param bytes array that holds the body, which must not change until all parts are made
     * @param from index of the first byte of the body
     * @param to index behind the last byte of the body
     * @param answer answer that was reset, for the first part
     * @return whether there are more parts
     */
    boolean begin(byte[] bytes, int from, int to, Response answer);

    /**
     * Makes the next part of an answer.
     *
     * @param answer answer that holds the last part, which is replaced
     * @return whether there are more parts
     */
    boolean next(Response answer);
}
