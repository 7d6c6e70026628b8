package dev.touchstone.harness.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Change points beside those that Apache Otava finds; {@code otava-series.py} made the file. */
class OtavaTest {
    /** Nights between what is the same change: noise hides the first night of a new level from either. */
    private static final int NEAR = 2;

    @Test
    void of_twentySeries_sameChangesAsOtava() throws IOException {
        int series = 0;
        for (String line : lines()) {
            String[] parts = line.split("\\|", -1);
            double[] logs = Arrays.stream(parts[3].split(",", -1))
                    .mapToDouble(value -> Math.log(Double.parseDouble(value)))
                    .toArray();
            List<Integer> ours = ChangePoints.of(logs);
            List<Integer> theirs = indices(parts[2]);
            String how = "series " + series + ", noise " + parts[0] + ": ours " + ours + ", Otava's E-divisive "
                    + theirs + ", Otava " + parts[1];
            assertThat(ours).as(how).hasSameSizeAs(theirs);
            for (int i = 0; i < ours.size(); i++) {
                assertThat(Math.abs(ours.get(i) - theirs.get(i))).as(how).isLessThanOrEqualTo(NEAR);
            }
            series++;
        }
        assertThat(series).isEqualTo(20);
    }

    private static List<Integer> indices(String text) {
        List<Integer> indices = new ArrayList<>();
        for (String index : text.split(",", -1)) {
            if (!index.isEmpty()) {
                indices.add(Integer.parseInt(index));
            }
        }
        return indices;
    }

    private static List<String> lines() throws IOException {
        try (InputStream in = OtavaTest.class.getResourceAsStream("otava-series.txt")) {
            String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII);
            return text.lines().filter(line -> !line.startsWith("#")).toList();
        }
    }
}
