/**
 * What marks a type for the processor of {@code serialization-processor}, which writes its codec when it is compiled. Nothing here is there at
 * run time. In Maven:
 *
 * <pre>{@code
 * <artifactId>maven-compiler-plugin</artifactId>
 * <configuration>
 *   <proc>full</proc>
 *   <annotationProcessorPaths>
 *     <path>
 *       <groupId>dev.touchstone</groupId>
 *       <artifactId>serialization-processor</artifactId>
 *       <version>...</version>
 *     </path>
 *   </annotationProcessorPaths>
 * </configuration>
 * }</pre>
 *
 * <p>and then
 *
 * <pre>{@code
 * @Compact("line")
 * record Line(String article, int pieces, BigDecimal price) {}
 *
 * CompactSerialization serialization = CompactSerialization.builder().codec(LineCodec.INSTANCE).build();
 * byte[] bytes = serialization.encode(new Line("pen", 3, new BigDecimal("1.20")));
 * Line line = (Line) serialization.decode(bytes);
 * int pieces = new LineView(serialization).wrap(bytes).pieces();
 * }</pre>
 */
@NullMarked
package dev.touchstone.serialization.annotation;

import org.jspecify.annotations.NullMarked;
