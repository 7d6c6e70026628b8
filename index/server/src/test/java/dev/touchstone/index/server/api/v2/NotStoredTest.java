package dev.touchstone.index.server.api.v2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.Route;
import dev.touchstone.index.server.api.handler.HandlerFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The answers to updates that cannot be stored. */
class NotStoredTest {
    @Test
    void update_thatCannotBeStored_isAnsweredWith503WithoutPaths() {
        PriceIndex index = PriceIndex.builder().string("colour").build(List.of());
        PriceService service = new PriceService(
                index,
                batch -> {
                    throw new IOException("No space left on device: /secret/folder");
                },
                Limits.DEFAULT);
        Response answer = new Response();
        byte[] body = "{\"put\":[{\"id\":\"a\",\"offering\":\"o\",\"value\":1}]}".getBytes(StandardCharsets.UTF_8);

        new HandlerFactory(service).handler(Route.UPDATE).handle(body, 0, body.length, answer);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(new String(answer.bytes(), 0, answer.size(), StandardCharsets.UTF_8))
                .contains("the changes were not stored and are not visible, but a restart may find them")
                .doesNotContain("/secret");
        assertThat(index.version()).isEqualTo(1);
    }
}
