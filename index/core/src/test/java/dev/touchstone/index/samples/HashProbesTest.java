package dev.touchstone.index.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The samples do what they say. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HashProbesTest {
    @TempDir
    Path folder;

    @Test
    void search_byThreeCustomers_tellsEachWhatApplies() {
        assertThat(Search.run()).containsExactly("long for 44.90", "one of 2", "nothing");
    }

    @Test
    void ranges_thatExcludeEachOther_areExplained() {
        assertThat(Ranges.run()).isEqualTo("least between any and 249.99");
    }

    @Test
    void update_betweenTwoSearches_changesTheSecondAnswerOnly() {
        assertThat(Update.run()).containsExactly("1: 2.50", "2: 2.70");
    }

    @Test
    void writeAndMap_ofAThousandPrices_findsThemAll() throws IOException {
        assertThat(WriteAndMap.run(folder)).isEqualTo(1000);
    }
}
