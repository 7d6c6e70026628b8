package dev.touchstone.queue.replicated.link;

/** Receiver of the answer to a message that was given to {@link Links}; one of its methods is called, once, and must not block. */
public interface Reply {

    /** Receives the other member's answer. */
    void answered(Message answer);

    /** Tells that the message was not sent, and will not be. */
    void notSent(String reason);

    /** Tells that the message may have reached the other member, of which there is no answer. */
    void lost(String reason);
}
