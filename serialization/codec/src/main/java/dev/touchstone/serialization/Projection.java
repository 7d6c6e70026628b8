package dev.touchstone.serialization;

import dev.touchstone.serialization.schema.KindId;
import dev.touchstone.serialization.schema.RecordLayout;
import dev.touchstone.serialization.schema.Schema;

/**
 * A mapping of the fields of one schema to their places in records of another version, by name. The wanted fields come first, in the order of their
 * schema, and all fields of the record follow. The kind of a wanted field that the record lacks is {@link KindId#NONE}.
 */
final class Projection {
    final byte[] kinds;
    final int[] places;

    Projection(Schema wanted, Schema record) {
        RecordLayout layout = record.layout();
        int first = wanted.fields().size();
        int all = first + layout.kinds.length;
        kinds = new byte[all];
        places = new int[all];
        System.arraycopy(layout.kinds, 0, kinds, first, layout.kinds.length);
        System.arraycopy(layout.places, 0, places, first, layout.places.length);
        for (int field = 0; field < first; field++) {
            int there = record.indexOf(wanted.field(field).name());
            if (there >= 0) {
                kinds[field] = layout.kinds[there];
                places[field] = layout.places[there];
            }
        }
    }
}
