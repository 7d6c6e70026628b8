package dev.touchstone.benchmarks.index.tariff;

import dev.touchstone.benchmarks.SubjectWrappers;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** The subjects of the benchmark of tariff lists, by the value of its parameter {@code subject}. */
public enum TariffType {
    OURS("all limits on", IndexTariffs::new),
    MAP_TARIFFS("one value a field", MapTariffs::new),
    ROARING_TARIFFS("one value a field", RoaringTariffs::new),
    LUCENE_TARIFFS("one value a field", LuceneTariffs::new),
    SQLITE_TARIFFS("one value a field", SqliteTariffs::new),
    CQENGINE_TARIFFS("one value a field", CqengineTariffs::new);

    private final String level;

    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    private final Factory factory;

    private interface Factory {
        TariffSearch make(List<Tariff> prices) throws IOException, SQLException;
    }

    TariffType(String level, Factory factory) {
        this.level = level;
        this.factory = factory;
    }

    /** Returns what the subject does, where that differs between subjects. */
    public String level() {
        return level;
    }

    TariffSearch make(List<Tariff> prices) throws IOException, SQLException {
        return SubjectWrappers.wrapped(this, TariffSearch.class, factory.make(prices));
    }
}
