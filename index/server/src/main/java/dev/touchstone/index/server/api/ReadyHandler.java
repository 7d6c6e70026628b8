package dev.touchstone.index.server.api;

/** The handler of {@code /ready}, which tells whether new requests should come. */
final class ReadyHandler implements Handler {
    private final PriceService service;

    ReadyHandler(PriceService service) {
        this.service = service;
    }

    @Override
    public void handle(byte[] bytes, int from, int to, Answer answer) {
        boolean isReady = service.isReady();
        answer.type(ContentType.TEXT);
        answer.status(isReady ? 200 : 503);
        answer.ascii(isReady ? "ready\n" : "stopping\n");
    }
}
