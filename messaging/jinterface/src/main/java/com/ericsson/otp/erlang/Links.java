package com.ericsson.otp.erlang;

/** The type of a field that subclasses of connections see. The messaging node keeps the links; this keeps none. */
class Links {}
