package dev.touchstone.index.server.api;

import dev.touchstone.index.SearchResult;

/** The handler of {@code /v1/search/.../prices}: one search, answered by a price or by a line with the reason why there is none. */
final class V1Handler implements Handler {
    private final V1Search search;

    V1Handler(V1Search search) {
        this.search = search;
    }

    @Override
    public void handle(byte[] bytes, int from, int to, Answer answer) {
        try {
            search.read(bytes, from, to);
            SearchResult result = search.search();
            answer.version(result.version());
            search.answer(result, answer);
            answer.put('\n');
        } catch (RequestException e) {
            Errors.text(e, answer);
        }
    }
}
