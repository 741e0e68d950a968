/* SPDX-License-Identifier: LGPL-2.1 */
/* Produces the messages of a stream. */
#ifndef _BABELTRACE_ITERATOR_H
#define _BABELTRACE_ITERATOR_H

#include <babeltrace2/babeltrace.h>

bt_message_iterator_class_initialize_method_status
iterator_initialize(bt_self_message_iterator *self,
		    bt_self_message_iterator_configuration *configuration,
		    bt_self_component_port_output *port);
void iterator_finalize(bt_self_message_iterator *self);
bt_message_iterator_class_next_method_status iterator_next(bt_self_message_iterator *self,
							   bt_message_array_const messages,
							   uint64_t capacity, uint64_t *count);
bt_message_iterator_class_can_seek_beginning_method_status
iterator_can_seek_beginning(bt_self_message_iterator *self, bt_bool *can);
bt_message_iterator_class_seek_beginning_method_status
iterator_seek_beginning(bt_self_message_iterator *self);

#endif
