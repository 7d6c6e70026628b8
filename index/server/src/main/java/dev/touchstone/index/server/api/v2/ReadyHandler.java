package dev.touchstone.index.server.api.v2;

import dev.touchstone.index.server.api.ContentType;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.Response;

/** The handler of {@code /health} and {@code /ready}, which tell whether the process answers, and whether new requests should come. */
public final class ReadyHandler implements Handler {
    private final PriceService service;
    private final String ready;
    private final String stopping;
    private final int stoppingStatus;
    private final boolean needsCurrent;

    private ReadyHandler(
            PriceService service, String ready, String stopping, int stoppingStatus, boolean needsCurrent) {
        this.service = service;
        this.ready = ready;
        this.stopping = stopping;
        this.stoppingStatus = stoppingStatus;
        this.needsCurrent = needsCurrent;
    }

    /** Returns the handler of {@code /ready}. */
    public static Handler ready(PriceService service) {
        return new ReadyHandler(service, "ready\n", "stopping\n", 503, true);
    }

    /** Returns the handler of {@code /health}: a process that drains, or waits for its cluster, is alive, and need not be killed. */
    public static Handler health(PriceService service) {
        return new ReadyHandler(service, "up\n", "draining\n", 200, false);
    }

    @Override
    public void handle(byte[] bytes, int from, int to, Response answer) {
        answer.type(ContentType.TEXT);
        if (!service.isReady()) {
            refuse(stoppingStatus, stopping, answer);
        } else if (needsCurrent && !service.isCurrent()) {
            refuse(503, "joining\n", answer);
        } else {
            answer.ascii(ready);
        }
    }

    private static void refuse(int status, String text, Response answer) {
        answer.status(status);
        if (status != 200) {
            answer.header("retry-after", "1");
        }
        answer.ascii(text);
    }
}
