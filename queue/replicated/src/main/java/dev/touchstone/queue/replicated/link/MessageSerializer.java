package dev.touchstone.queue.replicated.link;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.alipay.remoting.CustomSerializer;
import com.alipay.remoting.CustomSerializerManager;
import com.alipay.remoting.InvokeContext;
import com.alipay.remoting.rpc.RequestCommand;
import com.alipay.remoting.rpc.ResponseCommand;
import com.alipay.remoting.rpc.RpcCommand;
import com.alipay.remoting.rpc.protocol.RpcRequestCommand;
import com.alipay.remoting.rpc.protocol.RpcResponseCommand;
import org.jspecify.annotations.Nullable;

/**
 * Carries a {@link Message} through bolt as the bytes that it is, so that bolt's serialization of objects (Hessian) is neither needed nor
 * reached. Bolt finds the serializer by the name of the message's class. Never throws: bolt would lose the answer.
 */
final class MessageSerializer implements CustomSerializer {
    private static final byte[] EMPTY = {};

    private static final class Registration {
        static {
            CustomSerializerManager.registerCustomSerializer(Message.class.getName(), new MessageSerializer());
        }

        private static void ensure() {}
    }

    private MessageSerializer() {}

    /** Makes bolt use this serializer for messages, once for the process. */
    static void register() {
        Registration.ensure();
    }

    @Override
    public <T extends RequestCommand> boolean serializeHeader(T request, InvokeContext context) {
        request.setHeader(header((Message) ((RpcRequestCommand) request).getRequestObject()));
        return true;
    }

    @Override
    public <T extends ResponseCommand> boolean serializeHeader(T response) {
        response.setHeader(header((Message) ((RpcResponseCommand) response).getResponseObject()));
        return true;
    }

    @Override
    public <T extends RequestCommand> boolean deserializeHeader(T request) {
        return true;
    }

    @Override
    public <T extends ResponseCommand> boolean deserializeHeader(T response, InvokeContext context) {
        return true;
    }

    @Override
    public <T extends RequestCommand> boolean serializeContent(T request, InvokeContext context) {
        request.setContent(((Message) ((RpcRequestCommand) request).getRequestObject()).bytes());
        return true;
    }

    @Override
    public <T extends ResponseCommand> boolean serializeContent(T response) {
        response.setContent(((Message) ((RpcResponseCommand) response).getResponseObject()).bytes());
        return true;
    }

    @Override
    public <T extends RequestCommand> boolean deserializeContent(T request) {
        ((RpcRequestCommand) request).setRequestObject(received(request));
        return true;
    }

    @Override
    public <T extends ResponseCommand> boolean deserializeContent(T response, InvokeContext context) {
        ((RpcResponseCommand) response).setResponseObject(received(response));
        return true;
    }

    /** Returns the id of the group that a message tells; null, for no header, if it tells none. */
    private static byte @Nullable [] header(Message message) {
        return message.group().isEmpty() ? null : message.group().getBytes(UTF_8);
    }

    private static Message received(RpcCommand command) {
        byte[] content = command.getContent();
        byte[] header = command.getHeader();
        return Message.received(content == null ? EMPTY : content)
                .inGroup(header == null ? "" : new String(header, UTF_8));
    }
}
