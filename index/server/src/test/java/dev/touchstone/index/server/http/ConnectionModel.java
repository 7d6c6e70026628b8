package dev.touchstone.index.server.http;

import static dev.touchstone.index.server.http.ConnectionState.BODY;
import static dev.touchstone.index.server.http.ConnectionState.CLOSED;
import static dev.touchstone.index.server.http.ConnectionState.CLOSING;
import static dev.touchstone.index.server.http.ConnectionState.DISCARDING;
import static dev.touchstone.index.server.http.ConnectionState.HANDLING;
import static dev.touchstone.index.server.http.ConnectionState.HEAD;
import static dev.touchstone.index.server.http.ConnectionState.MAKING;
import static dev.touchstone.index.server.http.ConnectionState.PAUSED;
import static dev.touchstone.index.server.http.ConnectionState.SENDING;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A model of {@link Connection}: the states and answers that its events must lead to. */
final class ConnectionModel {
    /** Maximum length of a body in bytes. */
    static final int MAX_BODY = 2_000;

    /** Maximum length in bytes of a search that an event loop answers. */
    private static final int MAX_QUICK = 1 << 10;

    /** Length of an answer in bytes that fills the channel several times. */
    static final int LARGE = 200_000;

    /** Requests by what becomes of them. */
    enum Kind {
        SMALL,
        LARGE_QUICK,
        WHOLE,
        PARTS,
        UNKNOWN,
        UNKNOWN_ASKING,
        TOO_LARGE,
        DAMAGED
    }

    /** The order that a worker is given. */
    record Order(int bytes, boolean isLast, boolean isFailure) {}

    /** A message of the client, as the model knows it. */
    record Message(@Nullable Kind head, boolean isKept, int bytes, boolean isEnd, boolean isDamaged) {}

    final Deque<Message> waiting = new ArrayDeque<>();
    final List<Integer> answers = new ArrayList<>(); // their statuses
    ConnectionState state = HEAD;
    boolean isReading = true; // whether the client reads
    boolean isBusy; // whether the worker does something else
    boolean isQueued; // whether the work waits for a worker
    private boolean isStopped; // whether the worker was told to stop
    private boolean isLastPart; // whether the part that was made last is the last one
    private Kind kind = Kind.SMALL;
    private boolean isKept;
    private int received;

    /** Notes that a message comes from the client. */
    void comes(Message message) {
        if (state != CLOSING && state != CLOSED) {
            waiting.add(message);
            advance();
        }
    }

    /** Goes on as far as the client reads. */
    void advance() {
        while (isReading) {
            if (state.isReading() && !waiting.isEmpty()) {
                process(waiting.remove());
            } else if (state == SENDING) {
                whole();
            } else if (state == PAUSED && isLastPart) {
                whole();
            } else if (state == PAUSED) {
                state = MAKING;
                isQueued = isBusy;
            } else {
                return;
            }
        }
    }

    private void process(Message message) {
        Kind head = message.head();
        if ((head != null) != (state == HEAD)) {
            return; // in the middle of another request, or of no request
        }
        if (head != null) {
            begin(head, message.isKept());
            return;
        }
        received += message.bytes();
        if (message.isDamaged()) {
            last(400);
        } else if (received > MAX_BODY) {
            last(413);
        } else if (message.isEnd()) {
            end();
        }
    }

    private void begin(Kind head, boolean isKeptAfter) {
        kind = head;
        isKept = isKeptAfter;
        received = 0;
        switch (kind) {
            case DAMAGED -> last(400);
            case TOO_LARGE -> last(413);
            case UNKNOWN_ASKING -> last(404);
            case UNKNOWN -> state = DISCARDING;
            default -> state = BODY;
        }
    }

    private void end() {
        switch (kind) {
            case SMALL -> answer(200);
            case UNKNOWN -> answer(404);
            case LARGE_QUICK -> {
                if (received > MAX_QUICK) {
                    handOver();
                } else {
                    answers.add(200);
                    state = SENDING;
                }
            }
            default -> handOver();
        }
    }

    private void handOver() {
        state = HANDLING;
        isStopped = false;
        isQueued = isBusy;
    }

    private void answer(int status) {
        answers.add(status);
        whole();
    }

    private void whole() {
        if (isKept) {
            state = HEAD;
        } else {
            close(CLOSING);
        }
    }

    private void last(int status) {
        answers.add(status);
        close(CLOSING);
    }

    /** Ends the connection. */
    void close(ConnectionState next) {
        state = next;
        waiting.clear();
    }

    /** Notes that the worker has carried an order out. */
    void worked(Order order) {
        if (state == HANDLING) {
            if (isStopped) {
                answer(503);
            } else if (order.isFailure()) {
                answer(500);
            } else {
                answers.add(200);
                if (kind == Kind.PARTS && (!order.isLast() || order.bytes() == LARGE)) {
                    pause(order);
                } else if (kind != Kind.PARTS && order.bytes() == LARGE) {
                    state = SENDING;
                } else {
                    whole();
                }
            }
        } else if (isStopped || order.isFailure()) {
            close(CLOSED);
        } else {
            pause(order);
        }
        advance();
    }

    private void pause(Order order) {
        state = PAUSED;
        isLastPart = order.isLast();
    }

    /** Notes that the answer or the next part would come too late, or that the server stops. */
    void gaveUp() {
        if (state != HANDLING && state != MAKING) {
            return;
        }
        if (!isQueued) {
            isStopped = true;
        } else if (state == MAKING) {
            close(CLOSED);
        } else {
            isQueued = false;
            answer(503);
            advance();
        }
    }
}
