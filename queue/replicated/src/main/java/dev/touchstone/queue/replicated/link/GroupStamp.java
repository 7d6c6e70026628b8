package dev.touchstone.queue.replicated.link;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;

/** The group of the member that has sent one of jraft's requests, as a field of the request that jraft does not know and passes. */
final class GroupStamp {
    private static final int FIELD = 7_100;

    private GroupStamp() {}

    /**
     * Returns a request with the group in it.
     *
     * @param group id of the group, empty for none
     */
    static Message put(Message request, String group) {
        if (group.isEmpty()) {
            return request;
        }
        UnknownFieldSet.Field field = UnknownFieldSet.Field.newBuilder()
                .addLengthDelimited(ByteString.copyFromUtf8(group))
                .build();
        return request.toBuilder()
                .setUnknownFields(UnknownFieldSet.newBuilder(request.getUnknownFields())
                        .addField(FIELD, field)
                        .build())
                .build();
    }

    /** Returns the id of the group that a request has in it, empty if it has none. */
    static String of(Message request) {
        var values = request.getUnknownFields().getField(FIELD).getLengthDelimitedList();
        return values.isEmpty() ? "" : values.get(0).toStringUtf8();
    }
}
