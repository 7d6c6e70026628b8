package dev.touchstone.index.server.api;

/** A handler whose answer may be long, so that it is also made part by part: the memory that it takes is that of a part. For one request. */
public interface PartHandler extends Handler {
    /**
     * Makes the first part of an answer. If its status is not 200, or this returns false, it is the whole answer.
     *
     * @param bytes hold the body; they do not change until all parts are made
     * @param answer was reset
     * @return whether there is more
     */
    boolean begin(byte[] bytes, int from, int to, Answer answer);

    /**
     * Makes the next part.
     *
     * @param answer holds the last part, which is replaced
     * @return whether there is more
     */
    boolean next(Answer answer);
}
