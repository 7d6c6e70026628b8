package dev.touchstone.benchmarks.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.index.data.PriceData;
import dev.touchstone.benchmarks.index.data.RequestBodies;
import dev.touchstone.benchmarks.index.data.Requests;
import dev.touchstone.benchmarks.index.peer.JsonUnderTest;
import dev.touchstone.index.price.PriceIndex;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All subjects answer with the same status and the same bytes, but for the end of the line. */
@Timeout(60)
final class JsonParityTest {
    private static final int REQUESTS = 200;
    private static final List<Requests> KINDS =
            List.of(Requests.FULL, Requests.MISSING_1, Requests.MISSING_3, Requests.MISSING_ALL, Requests.NO_OFFERING);

    private static final PriceData.Numbered PRICES = PriceData.SEED.prices(12_000);
    private static PriceIndex index;

    @BeforeAll
    static void build() {
        index = PriceData.SEED.index(PRICES);
    }

    @Test
    void answer_oneSearch_allSubjectsAgree() throws IOException {
        List<byte[]> requests = new ArrayList<>();
        for (Requests kind : KINDS) {
            requests.addAll(RequestBodies.V1.bodies(kind.make(index, PRICES, REQUESTS), 1));
        }
        requests.addAll(RequestBodies.V1.seed(REQUESTS, 1)); // of offerings that the index does not have, too
        requests.add(bytes("{}"));
        requests.add(bytes("{\"charValues\":[],\"other\":[{}]}"));
        requests.add(bytes("{\"charValues\":[{\"char\":\"colour\",\"value\":\"red\"}]}"));
        assertEqual(requests, false);
    }

    @Test
    void answer_manySearches_allSubjectsAgree() throws IOException {
        List<byte[]> requests = new ArrayList<>(List.of(bytes("[]"), bytes("[{}]")));
        for (Requests kind : KINDS) {
            requests.addAll(RequestBodies.V1.bodies(kind.make(index, PRICES, REQUESTS), REQUESTS / 4));
        }
        requests.addAll(RequestBodies.V1.seed(2, REQUESTS));
        assertEqual(requests, true);
    }

    @Test
    void answer_fullRequest_findsThePriceItWasMadeOf() throws IOException {
        for (byte[] request : RequestBodies.V1.bodies(Requests.FULL.make(index, PRICES, REQUESTS), 1)) {
            JsonUnderTest ours = json("OURS", false);
            assertThat(ours.answer(request)).isEqualTo(200);
            assertThat(text(ours.bytes())).contains("\"value\":").contains("\"spec\":\"");
        }
    }

    private static void assertEqual(List<byte[]> requests, boolean isBulk) throws IOException {
        JsonUnderTest ours = json("OURS", isBulk);
        JsonUnderTest jackson = json("JACKSON", isBulk);
        for (byte[] request : requests) {
            String asked = text(request);
            assertThat(ours.answer(request)).as(asked).isEqualTo(jackson.answer(request));
            assertThat(text(ours.bytes())).as(asked).isEqualTo(text(jackson.bytes()));
        }
    }

    private static JsonUnderTest json(String subject, boolean isBulk) throws IOException {
        return DeclaredSubject.of(subject).open(JsonUnderTest.class, index, isBulk);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8).strip();
    }
}
