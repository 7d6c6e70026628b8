package dev.touchstone.benchmarks.index.peer;

import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.Route;
import dev.touchstone.index.server.api.handler.HandlerFactory;
import java.util.Arrays;

/** An adapter of our service without the way over HTTP. */
public final class ServiceJsonAdapter implements JsonUnderTest {
    private final Handler handler;
    private final Response answer = new Response();

    public ServiceJsonAdapter(PriceIndex index, boolean isBulk) {
        handler = new HandlerFactory(new PriceService(index, Limits.DEFAULT))
                .handler(isBulk ? Route.V4_BITMAP_BULK : Route.V1_BITMAP);
    }

    @Override
    public int answer(byte[] request) {
        answer.reset();
        handler.handle(request, 0, request.length, answer);
        return answer.status();
    }

    @Override
    public byte[] bytes() {
        return Arrays.copyOf(answer.bytes(), answer.size());
    }
}
