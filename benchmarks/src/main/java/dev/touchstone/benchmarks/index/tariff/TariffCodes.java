package dev.touchstone.benchmarks.index.tariff;

import dev.touchstone.benchmarks.index.peer.StringCodes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The strings of a tariff list as codes from 1, by field; 0 stands for a value that is left out or that no price has. Immutable. */
final class TariffCodes {
    final StringCodes offerings;
    final StringCodes[] byField = new StringCodes[TariffList.FIELDS];
    final int[] sizes = new int[TariffList.FIELDS]; // number of strings

    TariffCodes(List<Tariff> prices) {
        Map<String, Integer> keys = new HashMap<>();
        prices.forEach(price -> keys.putIfAbsent(price.offering(), keys.size() + 1));
        offerings = new StringCodes(keys);
        for (int i = 0; i < byField.length; i++) {
            Map<String, Integer> codes = new HashMap<>();
            for (Tariff price : prices) {
                String value = price.values()[i];
                if (value != null) {
                    codes.putIfAbsent(value, codes.size() + 1);
                }
            }
            byField[i] = new StringCodes(codes);
            sizes[i] = codes.size();
        }
    }

    /** Returns the code of a value, or 0. */
    int code(int field, @Nullable String value) {
        return value == null ? 0 : byField[field].code(value);
    }
}
